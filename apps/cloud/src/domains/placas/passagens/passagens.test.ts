import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Passagem } from '@vigia/contracts/passagens'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { JPEG } from '../../../test/records/records.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))
const foreign = fixture(() => app.account('Alheia'))
const camera = fixture(() => backstage.camera(own.empresaId))

beforeAll(async () => {
  for (const placa of ['ABC1D23', 'ABC1D28', 'XYZ9876', null]) await pass(placa)
})

const PATH = '/api/v1/passagens'
const readingOf = (placa: string): NonNullable<RegistroPassagem['placa']> => ({
  placa,
  pais: 'BR',
  forma: 'mercosul',
  confianca: 0.9,
})
const pass = (placa: string | null) => backstage.passagem(camera, { placa: placa === null ? null : readingOf(placa) })
const placas = async (query: string, by: Client = own.admin) =>
  (await by.expect<Passagem[]>(200, 'GET', `${PATH}${query}`)).map(({ placa }) => placa)

it('lists passages newest first, by page', async () => {
  expect(await placas('')).toEqual([null, 'XYZ9876', 'ABC1D28', 'ABC1D23'])
  const first = await own.admin.send('GET', `${PATH}?limit=3`)
  expect(first.headers.get('x-total-count')).toBe('4')
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  expect(await placas(next.replace(/^[^?]*/, ''))).toEqual(['ABC1D23'])
})

it('finds plates by pattern, by similarity and by situation', async () => {
  expect(await placas('?placa=abc-1d23')).toEqual(['ABC1D23'])
  expect(await placas('?placa=ABC*')).toEqual(['ABC1D28', 'ABC1D23'])
  expect(await placas('?placa=ABC1D23&semelhantes=true')).toEqual(['ABC1D28', 'ABC1D23'])
  expect(await placas('?sem_placa=true')).toEqual([null])
  expect(await placas('?com_placa=true')).not.toContain(null)
  expect(await placas('?situacao=desconhecida&veiculo=car')).toHaveLength(3)
  expect(await placas('?situacao=bloqueada')).toEqual([])
  expect(await placas(`?camera_id=${camera.cameraId + 1}`)).toEqual([])
  expect(await placas('?ate=2020-01-01T00:00:00Z')).toEqual([])
})

it('records each search by plate in the audit log, and no plate in the log of requests', async () => {
  await placas('?placa=QQQ7777')
  // Refused: no search took place.
  expect((await own.admin.send('GET', `${PATH}?placa=QQQ8888&cursor=EI`)).status).toBe(422)
  const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=passagem')
  expect(record).toMatchObject({ acao: 'buscar', objeto_nome: 'QQQ7777', empresa_id: own.empresaId })
  expect(app.logText()).not.toContain('QQQ7777')
})

it('shows one passage and its pictures', async () => {
  const [newest] = await own.admin.expect<Passagem[]>(200, 'GET', `${PATH}?placa=XYZ9876`)
  const shown = await own.admin.expect<Passagem>(200, 'GET', `${PATH}/${newest?.id}`)
  expect(shown).toEqual(newest)
  expect(shown).toMatchObject({ veiculo: 'car', situacao: 'desconhecida', fim: null, camera_nome: 'Portão' })
  for (const url of [shown.foto_url, shown.foto_placa_url]) {
    const response = await fetch(`${app.url}${url}`, { headers: { authorization: `Bearer ${own.admin.token}` } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(Buffer.from(await response.arrayBuffer())).toEqual(JPEG)
  }
})

it('refuses bad input, a usuario and other Empresas', async () => {
  const [{ id } = { id: 0 }] = await own.admin.expect<Passagem[]>(200, 'GET', PATH)
  for (const query of ['?placa=%27', '?veiculo=boat', '?desde=ontem', '?camera_id=0'])
    expect((await own.admin.send('GET', `${PATH}${query}`)).status).toBe(422)
  for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/foto`])
    expect((await own.usuario.send('GET', path)).status).toBe(403)
  for (const path of [`${PATH}/${id}`, `${PATH}/${id}/foto`])
    expect((await foreign.admin.send('GET', path)).status).toBe(404)
  expect(await placas('', foreign.admin)).toEqual([])
})
