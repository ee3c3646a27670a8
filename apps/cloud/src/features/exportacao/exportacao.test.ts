import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Backstage, startWithBackstage } from '../../test/backstage.ts'
import type { Client } from '../../test/client.ts'
import { FRAME, JPEG } from '../../test/records.ts'
import type { Account, TestApp } from '../../test/test-app.ts'

let app: TestApp
let backstage: Backstage
let conta: Account
let outra: Account
let dir: string
let eventos: readonly number[]
let incidente: number

beforeAll(async () => {
  ;({ app, backstage } = await startWithBackstage())
  dir = temporaryFolder('vigia-export-')
  conta = await app.account('Padaria')
  outra = await app.account('Farmácia')
  const camera = await backstage.camera(conta.empresaId)
  eventos = [await backstage.event(camera), await backstage.event(camera, { crop_path: null, quadro_path: null })]
  incidente = await backstage.incidenteOf(eventos[0] ?? 0)
})
afterAll(async () => {
  await app.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Content of each file of the archive. */
async function exported(by: Client, path: string): Promise<Record<string, Buffer>> {
  const response = await fetch(`${app.url}/api/v1${path}`, { headers: { authorization: `Bearer ${by.token}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const file = join(dir, 'a.zip')
  writeFileSync(file, Buffer.from(await response.arrayBuffer()))
  const program = `import sys, zipfile, base64, json
z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps({n: base64.b64encode(z.read(n)).decode() for n in z.namelist()}))`
  const files = JSON.parse(execFileSync('python3', ['-c', program, file], { encoding: 'utf8' })) as Record<
    string,
    string
  >
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, 'base64')]))
}

it('exports an incidente with data, pictures, and the hash of every file', async () => {
  const files = await exported(conta.usuario, `/incidentes/${incidente}/exportar`)
  const [first, second] = eventos
  expect(Object.keys(files)).toEqual([
    ...['LEIA-ME.txt', 'incidente.json', `eventos/${first}/evento.json`],
    ...[`eventos/${first}/recorte.jpg`, `eventos/${first}/quadro.jpg`, `eventos/${second}/evento.json`],
    'SHA256SUMS.txt',
  ])
  expect(files[`eventos/${first}/recorte.jpg`]).toEqual(JPEG)
  expect(files[`eventos/${first}/quadro.jpg`]).toEqual(FRAME)
  expect(JSON.parse(files['incidente.json']?.toString() ?? '')).toMatchObject({ id: incidente, eventos: 2 })
  const { 'SHA256SUMS.txt': sums, ...others } = files
  const expected = Object.entries(others).map(
    ([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`,
  )
  expect(sums?.toString()).toBe(expected.join(''))
  expect(files['LEIA-ME.txt']?.toString()).toContain(`incidente nº ${incidente}`)
})

it('exports an event, and records each export', async () => {
  const files = await exported(conta.admin, `/events/${eventos[0]}/exportar`)
  expect(Object.keys(files)).toEqual(['LEIA-ME.txt', 'evento.json', 'recorte.jpg', 'quadro.jpg', 'SHA256SUMS.txt'])
  const log = await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=exportar')
  expect(log.map(({ objeto, objeto_id, objeto_nome }) => [objeto, objeto_id, objeto_nome])).toEqual([
    ['evento', eventos[0], 'Portão'],
    ['incidente', incidente, 'Portão'],
  ])
})

it('finds nothing out of scope', async () => {
  for (const path of [`/events/${eventos[0]}/exportar`, `/incidentes/${incidente}/exportar`, '/events/999/exportar'])
    expect((await outra.admin.send('GET', `/api/v1${path}`)).status).toBe(404)
  const log = await outra.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=exportar')
  expect(log).toEqual([])
})
