import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { ModoBConfig } from '@vigia/contracts/cameras'
import type { Estadia, Percurso, Presenca } from '@vigia/contracts/presencas'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage, type SeededCamera } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const foreign = fixture(() => app.account('Alheia'))
const own = freshFixture(() => app.account('Própria'))
const gate = freshFixture(() => cameraOf({ papel: 'entrada', local: 'Garagem' }))
const exit = freshFixture(() => cameraOf({ papel: 'saida', local: 'Garagem' }))

const PATH = '/api/v1/passagens'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const placaOf = (placa: string): NonNullable<RegistroPassagem['placa']> => ({
  placa,
  pais: 'BR',
  forma: 'mercosul',
  confianca: 0.9,
})
async function cameraOf(config: Partial<ModoBConfig>): Promise<SeededCamera> {
  const camera = await backstage.camera(own.empresaId)
  await backstage.db
    .updateTable('cameras')
    .set({ modo_b_config_json: JSON.stringify({ ativo: true, ...config }) })
    .where('id', '=', camera.cameraId)
    .execute()
  return camera
}
const pass = (camera: SeededCamera, placa: string | null, agoMs = 0, change: Partial<RegistroPassagem> = {}) => {
  const at = app.clock.now() - agoMs
  return backstage.passagem(camera, {
    placa: placa === null ? null : placaOf(placa),
    inicio: at,
    ocorrido_em: at,
    ...change,
  })
}
const inside = (query = '', by: Client = own.admin) => by.expect<Presenca[]>(200, 'GET', `${PATH}/presentes${query}`)
const percurso = (placa: string, by: Client = own.admin) =>
  by.expect<Percurso>(200, 'GET', `${PATH}/percurso?placa=${placa}`)
const close = (id: number, by: Client = own.admin) => by.send<Estadia>('POST', `${PATH}/${id}/saida`)
const detail = async (id: number) => (await close(id)).body as unknown as { readonly detail: string }

it('lists the vehicles inside, newest entry first', async () => {
  const first = await pass(gate, 'ABC1D23', 30 * MINUTE_MS)
  await pass(gate, 'XYZ9876', 20 * MINUTE_MS)
  await pass(gate, 'QQQ1A11', 10 * MINUTE_MS)
  await pass(exit, 'XYZ9876', 5 * MINUTE_MS)
  const answer = await own.admin.send<Presenca[]>('GET', `${PATH}/presentes`)
  expect([answer.status, answer.headers.get('x-total-count')]).toEqual([200, '2'])
  expect(answer.body.map(({ placa }) => placa)).toEqual(['QQQ1A11', 'ABC1D23'])
  expect(answer.body[1]).toMatchObject({
    empresa_id: own.empresaId,
    local: 'Garagem',
    situacao: 'desconhecida',
    veiculo: 'car',
    sem_saida: false,
    entrada: { passagem_id: first, camera_id: gate.cameraId, camera_nome: 'Portão' },
    foto_url: `${PATH}/${first}/foto?papel=veiculo`,
  })
  expect(answer.body[1]?.permanencia_s).toBeGreaterThanOrEqual(1_800)
  expect(answer.body[1]?.permanencia_s).toBeLessThan(1_860)
})

it('filters by local and by Empresa, and ignores passages without a plate or a direction', async () => {
  const yard = await cameraOf({ papel: 'ambos', local: 'Pátio', sentido_entrada: 'ab' })
  await pass(gate, 'ABC1D23', 2 * MINUTE_MS)
  await pass(gate, null)
  await pass(yard, 'ABC1D23', MINUTE_MS, { direcao: 'ab' })
  await pass(yard, 'QQQ1A11', 0, { direcao: null })
  const shown = async (query: string) => (await inside(query)).map(({ placa, local }) => `${placa} ${local}`)
  expect(await shown('')).toEqual(['ABC1D23 Pátio', 'ABC1D23 Garagem'])
  expect(await shown(`?local=${encodeURIComponent('Pátio')}`)).toEqual(['ABC1D23 Pátio'])
  expect(await inside(`?empresa_id=${own.empresaId}`, app.operator)).toHaveLength(2)
  expect(await inside('', foreign.admin)).toEqual([])
  await pass(yard, 'ABC1D23', 0, { direcao: 'ba' })
  expect(await shown('')).toEqual(['ABC1D23 Garagem'])
})

it('marks a vehicle that is inside for more than 24 hours', async () => {
  await pass(gate, 'ABC1D23', DAY_MS - MINUTE_MS)
  expect(await inside()).toMatchObject([{ sem_saida: false }])
  await pass(gate, 'XYZ9876', DAY_MS + MINUTE_MS)
  await pass(gate, 'QQQ1A11', 31 * DAY_MS)
  expect(await inside()).toMatchObject([
    { placa: 'ABC1D23', sem_saida: false },
    { placa: 'XYZ9876', sem_saida: true },
  ])
})

it('shows the passages and stays of a plate, newest first', async () => {
  await pass(gate, 'ABC1D23', 40 * DAY_MS)
  const missed = await pass(gate, 'ABC1D23', 60 * MINUTE_MS)
  const entrada = await pass(gate, 'ABC1D23', 30 * MINUTE_MS)
  await pass(gate, 'XYZ9876', 25 * MINUTE_MS)
  const saida = await pass(exit, 'ABC1D23', 20 * MINUTE_MS)
  const last = await pass(gate, 'ABC1D23', 10 * MINUTE_MS)
  const { placa, passagens, estadias } = await percurso('abc-1d23')
  expect([placa, passagens.length, passagens[0]?.id]).toEqual(['ABC1D23', 5, last])
  expect(estadias).toMatchObject([
    { aberta: true, entrada: { passagem_id: last }, saida: null },
    {
      aberta: false,
      entrada: { passagem_id: entrada },
      saida: { passagem_id: saida },
      saida_semelhante: false,
      placa_saida: 'ABC1D23',
      permanencia_s: 600,
      encerrada_em: null,
    },
    { aberta: false, entrada: { passagem_id: missed }, saida: null, permanencia_s: null },
    { aberta: false, saida: null, permanencia_s: null },
  ])
})

it('pairs an exit that was read with another symbol', async () => {
  await pass(gate, 'ABC1D23', 10 * MINUTE_MS)
  const saida = await pass(exit, 'ABC1D28', 5 * MINUTE_MS)
  expect(await inside()).toEqual([])
  const stay = {
    placa: 'ABC1D23',
    saida_semelhante: true,
    placa_saida: 'ABC1D28',
    permanencia_s: 300,
    saida: { passagem_id: saida },
  }
  expect((await percurso('ABC1D23')).estadias).toMatchObject([stay])
  expect((await percurso('ABC1D28')).estadias).toMatchObject([stay])
})

it('records each look-up of a plate in the audit log, and no plate in the log of requests', async () => {
  await percurso('QQQ7777')
  const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=passagem')
  expect(record).toMatchObject({ acao: 'buscar', objeto_nome: 'QQQ7777', empresa_id: own.empresaId })
  expect(app.logText()).toContain(`${PATH}/percurso`)
  expect(app.logText()).not.toContain('QQQ7777')
})

it('ends a stay by hand, once, with an audit record', async () => {
  const id = await pass(gate, 'ABC1D23', 10 * MINUTE_MS)
  const { status, body } = await close(id)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    placa: 'ABC1D23',
    aberta: false,
    entrada: { passagem_id: id },
    saida: null,
    placa_saida: null,
    encerrada_por: `administrador-${own.empresaId}`,
  })
  expect(body.permanencia_s).toBeGreaterThanOrEqual(600)
  expect(await inside()).toEqual([])
  const [stay] = (await percurso('ABC1D23')).estadias
  expect(stay).toEqual(body)

  expect((await close(id)).status).toBe(409)
  const url = `/api/v1/auditoria?objeto=passagem&acao=alterar&objeto_id=${id}`
  const records = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', url)
  expect(records).toMatchObject([
    { empresa_id: own.empresaId, objeto_nome: 'ABC1D23', depois: { encerrada_em: body.encerrada_em } },
  ])
})

it('lets one of two callers end a stay', async () => {
  const id = await pass(gate, 'ABC1D23', MINUTE_MS)
  const statuses = (await Promise.all([close(id), close(id)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 409])
})

it('ends only stays that are open', async () => {
  const unread = await pass(gate, null)
  const entrada = await pass(gate, 'ABC1D23', 2 * MINUTE_MS)
  const saida = await pass(exit, 'ABC1D23', MINUTE_MS)
  expect((await detail(unread)).detail).toContain('não tem placa')
  expect((await detail(entrada)).detail).toContain('já terminou')
  expect((await detail(saida)).detail).toContain('não é uma entrada')
})

it('refuses bad input, a usuario and other Empresas', async () => {
  const id = await pass(gate, 'ABC1D23')
  for (const query of ['/presentes?empresa_id=0', '/presentes?local=', '/percurso', '/percurso?placa=ABC*'])
    expect((await own.admin.send('GET', `${PATH}${query}`)).status).toBe(422)
  expect((await own.admin.send('POST', `${PATH}/presentes/saida`)).status).toBe(422)
  for (const query of ['/presentes', '/percurso?placa=ABC1D23'])
    expect((await own.usuario.send('GET', `${PATH}${query}`)).status).toBe(403)
  for (const query of [`/presentes?empresa_id=${own.empresaId}`, `/percurso?placa=ABC1D23&empresa_id=${own.empresaId}`])
    expect((await foreign.admin.send('GET', `${PATH}${query}`)).status).toBe(404)
  expect(await percurso('ABC1D23', foreign.admin)).toMatchObject({ passagens: [], estadias: [] })
  expect((await close(id, own.usuario)).status).toBe(403)
  expect((await close(id, foreign.admin)).status).toBe(404)
  expect((await close(id + 1_000)).status).toBe(404)
  expect(await inside()).toHaveLength(1)
})
