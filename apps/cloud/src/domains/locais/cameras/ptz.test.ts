import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { ResultadoCadastro } from '@vigia/contracts/gravadores'
import type { Ptz } from '@vigia/contracts/ptz'
import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { SENHA } from '../../../test/clouds/test-app.ts'
import { type StandInEdge, startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

const ACCESS = { host: '192.168.0.20', porta: 80, usuario: 'admin', senha: 's3nha-do-gravador' }
const PRESETS = [{ preset: '1', nome: 'Portão' }]

let edge: StandInEdge
let rui: Client
let bia: Client
let id: number

const app = fixture(startAppWithBroker)
const conta = fixture(() => app.account('Padaria'))

beforeAll(async () => {
  for (const username of ['rui', 'bia'])
    await conta.admin.expect(201, 'POST', '/api/v1/usuarios', { username, senha: SENHA, papel: 'vigilante' })
  ;[rui, bia] = [await app.signIn('rui'), await app.signIn('bia')]
  edge = await startStandInEdge(conta.admin, app.url)
  edge.answer = async (comando) => {
    const fluxo = { porta: 554, caminho: '/1' }
    const canal = { canal: 1, estado: 'video', codec: 'h264', resolucao: '640x360', principal: fluxo, sub: null }
    if (comando.acao === 'listar_canais_onvif') return { ok: true, resultado: { canais: [canal] } }
    if (comando.acao === 'listar_presets') return { ok: true, resultado: { presets: PRESETS } }
    if (comando.acao !== 'mover_camera') return { ok: true, resultado: {} }
    const { acao } = comando.movimento
    return acao === 'preset'
      ? { ok: false, falha: 'ptz_recusado' }
      : { ok: true, resultado: { fora: acao === 'mover' } }
  }
  const body = { fabricante: 'onvif', ...ACCESS, num_canais: 1, canais: [1], empresa_id: conta.empresaId }
  const made = await conta.admin.expect<ResultadoCadastro>(201, 'POST', '/api/v1/gravadores/cadastrar', body)
  id = made.cameras[0]?.id ?? 0
})
afterAll(async () => {
  await edge.stop()
})

const path = () => `/api/v1/cameras/${id}/ptz`
const mover = { acao: 'mover', x: 0.5, y: 0, zoom: 0 }
const move = (by: Client, body: object = mover) => by.send<Ptz>('POST', path(), body)
const state = (by: Client) => by.expect<Ptz>(200, 'GET', path())
const moves = () => edge.commands.flatMap((comando) => (comando.acao === 'mover_camera' ? [comando] : []))
const sentence = (text: string) => ({ detail: expect.stringContaining(text) })

it('is moved by one person at a time, whose name the others see', async () => {
  expect(await state(conta.usuario)).toEqual({ disponivel: true, em_uso: null, fora_da_base: false })
  expect(await rui.expect(200, 'GET', `${path()}/presets`)).toEqual(PRESETS)
  expect((await move(rui)).body).toMatchObject({ em_uso: { por: 'rui', meu: true }, fora_da_base: true })
  expect(moves()).toEqual([{ acao: 'mover_camera', camera_id: id, ...ACCESS, canal: 1, movimento: mover }])
  expect(await state(bia)).toMatchObject({ em_uso: { por: 'rui', meu: false }, fora_da_base: true })
  expect(await move(rui, { acao: 'preset', preset: '9' })).toMatchObject({ status: 503, body: sentence('recusou') })
  expect(await move(bia)).toMatchObject({ status: 409, body: sentence('rui está movendo esta câmera') })
  // All advances together stay well below the time after which a silent edge counts as absent.
  app.clock.advance(5_000)
  expect((await move(rui, { acao: 'parar' })).status).toBe(200)
  app.clock.advance(14_000)
  expect((await move(bia)).status).toBe(409)
  app.clock.advance(1_001)
  const both = await Promise.all([move(bia, { acao: 'base' }), move(rui, { acao: 'base' })])
  expect(both.map(({ status, body }) => [status, body]).sort()).toMatchObject([
    [200, { fora_da_base: false }],
    [409, sentence('está movendo')],
  ])
  expect(await state(rui)).toMatchObject({ fora_da_base: false })
  // One record for each turn, not for each move.
  const log = await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=mover')
  expect(log.map(({ depois }) => depois)).toEqual([{ movimento: 'base' }, { movimento: 'mover' }])
  expect(log.at(-1)).toMatchObject({ username: 'rui', objeto: 'camera', objeto_id: id })
})

it('refuses who may not, bad input, and other cameras', async () => {
  const before = moves().length
  expect((await move(conta.usuario)).status).toBe(403)
  expect((await move(rui, { acao: 'definir_base' })).status).toBe(403)
  expect((await move(rui, { ...mover, x: 1.1 })).status).toBe(422)
  expect((await move((await app.account('Farmácia')).admin)).status).toBe(404)
  const nova = { nome: 'Sistema', escopo: 'escrita', empresa_id: conta.empresaId }
  const { chave: segredo } = await conta.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', nova)
  const byKey = await fetch(app.url + path(), {
    method: 'POST',
    headers: { authorization: `Bearer ${segredo}`, 'content-type': 'application/json' },
    body: JSON.stringify(mover),
  })
  expect(byKey.status).toBe(403)
  const other = { nome: 'Doca', rtsp_url: 'rtsp://192.168.0.21/1' }
  const camera = await conta.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', other)
  const of = (end = '') => `/api/v1/cameras/${camera.id}/ptz${end}`
  expect(await rui.expect(200, 'GET', of())).toMatchObject({ disponivel: false })
  expect(await rui.send('POST', of(), mover)).toMatchObject({ status: 409, body: sentence('ONVIF') })
  expect((await rui.send('GET', of('/presets'))).status).toBe(409)
  expect(moves()).toHaveLength(before)
})
