import { createHash, randomBytes } from 'node:crypto'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { fixture } from '@vigia/testing/fixture'
import { unzip } from '@vigia/testing/unzip'
import { beforeAll, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { FRAME, JPEG } from '../../../test/records/records.ts'

let eventos: readonly number[]
let incidente: number
let clipe: number

const CLIP = randomBytes(200_000)

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria <script>'))
const outra = fixture(() => app.account('Farmácia'))

beforeAll(async () => {
  const camera = await backstage.camera(conta.empresaId)
  eventos = [await backstage.event(camera), await backstage.event(camera, { crop_path: null, quadro_path: null })]
  await backstage.clip(eventos[0] ?? 0, CLIP)
  const { id } = await backstage.db.selectFrom('clipes').select('id').executeTakeFirstOrThrow()
  clipe = id
  // Both events share the clip.
  const member = { evento_id: eventos[1] ?? 0, clipe_id: id, deslocamento_ms: 6_500, motivo: null }
  await backstage.db.insertInto('clipes_eventos').values(member).execute()
  incidente = await backstage.incidenteOf(eventos[0] ?? 0)
})

/** Content of each file of the archive. */
async function exported(by: Client, path: string): Promise<Record<string, Buffer>> {
  const response = await fetch(`${app.url}/api/v1${path}`, { headers: { authorization: `Bearer ${by.token}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return unzip(Buffer.from(await response.arrayBuffer()))
}

it('exports an incidente with data, pictures, and the hash of every file', async () => {
  const files = await exported(conta.usuario, `/incidentes/${incidente}/exportar`)
  const [first, second] = eventos
  expect(Object.keys(files)).toEqual([
    'LEIA-ME.txt',
    'incidente.json',
    `eventos/${first}/evento.json`,
    `eventos/${first}/quadro.jpg`,
    `eventos/${first}/recorte.jpg`,
    `clipes/${clipe}.mp4`,
    `eventos/${second}/evento.json`,
    'incidente.html',
    'SHA256SUMS.txt',
  ])
  expect(files[`eventos/${first}/recorte.jpg`]).toEqual(JPEG)
  expect(files[`eventos/${first}/quadro.jpg`]).toEqual(FRAME)
  expect(files[`clipes/${clipe}.mp4`]?.equals(CLIP)).toBe(true)
  expect(JSON.parse(files['incidente.json']?.toString() ?? '')).toMatchObject({ id: incidente, eventos: 2 })
  const { 'SHA256SUMS.txt': sums, ...others } = files
  const expected = Object.entries(others).map(
    ([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`,
  )
  expect(sums?.toString()).toBe(expected.join(''))
  expect(files['LEIA-ME.txt']?.toString()).toMatch(
    new RegExp(`incidente nº ${incidente} .*, em \\d\\d/\\d\\d/\\d{4} [\\d:]{8}\\. Horas no fuso America/Sao_Paulo\\.`),
  )
})

it('shows the incidente on a page without scripts that refers only to files of the archive', async () => {
  await conta.admin.expect(200, 'POST', `/api/v1/incidentes/${incidente}/atendimento`, {
    resposta: 'verdadeiro',
    nota: 'Era o <b>vizinho</b>',
  })
  const files = await exported(conta.usuario, `/incidentes/${incidente}/exportar`)
  const page = files['incidente.html']?.toString() ?? ''
  expect(page).toContain('Verdadeiro, por')
  expect(page).toContain('Era o &lt;b&gt;vizinho&lt;/b&gt;')
  expect(page).toContain('Padaria &lt;script&gt;')
  expect(page).toContain(`src="clipes/${clipe}.mp4#t=6.5"`)
  expect(page).toContain('A caixa calculou outro resumo quando cortou o clipe: 000000')
  expect(page).not.toMatch(/<script|https?:|javascript:| on[a-z]+=/i)
  for (const [, path = ''] of page.matchAll(/(?:src|href)="([^"#]+)/g)) expect(Object.keys(files)).toContain(path)
  // The page lists every file but itself and the list of hashes.
  const { 'SHA256SUMS.txt': sums, 'incidente.html': _page, ...others } = files
  for (const name of Object.keys(others)) expect(page).toContain(`<a href="${name}">${name}</a>`)
  for (const line of sums?.toString().trim().split('\n').slice(0, -1) ?? []) expect(page).toContain(line.slice(0, 64))
})

it('exports an event, and records each export', async () => {
  const files = await exported(conta.admin, `/events/${eventos[0]}/exportar`)
  expect(Object.keys(files)).toEqual([
    'LEIA-ME.txt',
    'evento.json',
    'quadro.jpg',
    'recorte.jpg',
    'clipe.mp4',
    'evento.html',
    'SHA256SUMS.txt',
  ])
  const log = await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=exportar')
  expect(log.map(({ objeto, objeto_id, objeto_nome }) => [objeto, objeto_id, objeto_nome])).toEqual([
    ['evento', eventos[0], 'Portão'],
    ['incidente', incidente, 'Portão'],
    ['incidente', incidente, 'Portão'],
  ])
})

it('exports a period with answers, records its numbers, and counts before', async () => {
  const path = `/empresas/${conta.empresaId}/exportar`
  const { ocorrido_em } = await backstage.db
    .selectFrom('eventos')
    .select('ocorrido_em')
    .where('id', '=', eventos[0] ?? 0)
    .executeTakeFirstOrThrow()
  const at = (ms: number) => new Date(ocorrido_em + ms).toISOString()
  const query = `?inicio=${at(0)}&fim=${at(1)}`
  const count = await conta.admin.expect<object>(200, 'GET', `/api/v1${path}/contagem${query}`)
  expect(count).toMatchObject({ cabe: true, corte: null })
  const files = await exported(conta.admin, `${path}${query}`)
  const names = Object.keys(files)
  expect(names).toEqual(expect.arrayContaining([`eventos/${eventos[0]}/respostas.json`, `clipes/${clipe}.mp4`]))
  expect(names.slice(-2)).toEqual(['periodo.html', 'SHA256SUMS.txt'])
  expect(files['periodo.html']?.toString()).toContain('Verdadeiro, por')
  const nothing = await exported(conta.admin, `${path}?fim=${at(-86_400_000)}`)
  expect(Object.keys(nothing)).toEqual(['LEIA-ME.txt', 'periodo.html', 'SHA256SUMS.txt'])
  expect((await conta.usuario.send('GET', `/api/v1${path}${query}`)).status).toBe(403)
  const log = await conta.admin.expect<RegistroAuditoria[]>(
    200,
    'GET',
    '/api/v1/auditoria?acao=exportar&objeto=empresa',
  )
  expect(log.map(({ depois }) => depois?.eventos)).toEqual([0, names.filter((name) => /evento.json/.test(name)).length])
})

it('names an end with which a period fits into one archive', async () => {
  const camera = await backstage.camera(conta.empresaId)
  const first = Date.UTC(2026, 0, 5)
  const ids: number[] = []
  for (let i = 0; i < 3; i += 1) ids.push(await backstage.event(camera, { ocorrido_em: first + i * 1_000 }))
  await backstage.db.updateTable('eventos').set({ midia_bytes: 1_400_000_000 }).where('id', 'in', ids).execute()
  const at = (ms: number) => new Date(first + ms).toISOString()
  const path = `/api/v1/empresas/${conta.empresaId}/exportar`
  const query = `inicio=${at(0)}&fim=${at(10_000)}&cameras=${camera.cameraId}`
  const count = await conta.admin.expect<object>(200, 'GET', `${path}/contagem?${query}`)
  expect(count).toEqual({ eventos: 3, passagens: 0, bytes: 2_800_000_000, cabe: false, corte: at(2_000) })
  const refused = await conta.admin.expect(409, 'GET', `${path}?${query}`)
  expect(refused).toMatchObject({ detail: expect.stringContaining('Exporte até 04/01/2026 21:00:02 ') })
})

it('finds nothing out of scope', async () => {
  for (const path of [`/events/${eventos[0]}/exportar`, `/incidentes/${incidente}/exportar`, '/events/999/exportar'])
    expect((await outra.admin.send('GET', `/api/v1${path}`)).status).toBe(404)
  const log = await outra.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=exportar')
  expect(log).toEqual([])
})
