import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Camera } from '@vigia/contracts/cameras'
import type { Edge } from '@vigia/contracts/edges'
import type { Diagnostico } from '@vigia/contracts/pedidos'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

/** Commands of a person to an edge and its cameras. */
let camera: number

const app = fixture(startAppWithBroker)
const own = fixture(() => app.account('Própria'))
const other = fixture(() => app.account('Outra'))
const edge = fixture(() => startStandInEdge(own.admin, app.url))

beforeAll(async () => {
  const made = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.1:1/1', edge_id: edge.id }
  camera = (await own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', made)).id
  await waitFor('the edge to be there', async () => {
    const { status } = await own.admin.expect<Edge>(200, 'GET', `/api/v1/edges/${edge.id}`)
    if (status !== 'online') await edge.report([])
    return status === 'online'
  })
})
let from = 0
beforeEach(() => {
  from = edge.commands.length
})
const asked = () => edge.commands.slice(from)

const diagnostico: Diagnostico = {
  versao: '0.1.0',
  node: '24.0.0',
  sistema: 'linux 6.1 arm64',
  ligado_ha_s: 5,
  caixa_ligada_ha_s: 9,
  memoria_processo: 1,
  memoria: null,
  disco: { total: 2, livre: 1 },
  cpu: 0.5,
  temperatura: null,
  relogio: { desvio_ms: null, sincronizado: true },
  fila: { registros: 1, bytes: 2, por_camera: [{ camera_id: 1, registros: 1, ultimo_seq: 7 }] },
  ligacao: { conectado: true, conexoes: 1, ultima_queda: null },
  processos: [{ pid: null, cameras: [1], falhas: 3 }],
  cameras: [{ id: 1, estado: 'falha', motivo: 'senha_recusada', fps: null }],
  avisos: [{ em: 1, nivel: 'warn', texto: 'link lost' }],
}

const diagnose = (by = own.admin, id = edge.id) => by.send('GET', `/api/v1/edges/${id}/diagnostico`)
const restart = (by = own.admin, id = camera) => by.send('POST', `/api/v1/cameras/${id}/reiniciar`)
/** Returns audit records. */
const restarts = () => own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=reiniciar')
const refused = ({ status, body }: { status: number; body: unknown }) => [status, body]

describe('diagnostico', () => {
  it('returns the diagnosis that the edge reports', async () => {
    edge.answer = async () => ({ ok: true, resultado: { diagnostico } })
    const answer = await diagnose()
    expect([answer.status, answer.body]).toEqual([200, diagnostico])
    expect(asked()).toEqual([{ acao: 'diagnosticar' }])
  })

  it('requires an administrator with that edge in scope', async () => {
    expect((await diagnose(own.usuario)).status).toBe(403)
    const missing = refused(await diagnose(other.admin, 999_999))
    expect(missing[0]).toBe(404)
    expect(refused(await diagnose(other.admin))).toEqual(missing)
    expect(asked()).toEqual([])
  })

  it('explains a missing answer in a sentence', async () => {
    edge.answer = async () => ({ ok: false, falha: 'prazo_esgotado' })
    expect(refused(await diagnose())).toEqual([503, { detail: expect.stringContaining('demorou demais') }])
    edge.answer = async () => ({ ok: false, falha: 'comando_repetido' })
    expect(refused(await diagnose())).toEqual([503, { detail: expect.stringContaining('relógio') }])
    edge.answer = async () => ({ ok: true, resultado: { diagnostico: { ...diagnostico, fila: null } } })
    expect(refused(await diagnose())).toEqual([503, { detail: expect.stringContaining('Atualize') }])
  })
})

describe('reiniciar', () => {
  it('makes the edge reopen the camera, even if the camera is offline', async () => {
    edge.answer = async () => ({ ok: true, resultado: {} })
    expect(refused(await restart())).toEqual([204, null])
    expect(asked()).toEqual([{ acao: 'reiniciar_camera', camera_id: camera }])
    expect(await restarts()).toMatchObject([{ objeto: 'camera', objeto_id: camera, objeto_nome: 'Portão' }])
  })

  it('requires an administrator and an active camera in scope', async () => {
    expect((await restart(own.usuario)).status).toBe(403)
    const missing = refused(await restart(other.admin, 999_999))
    expect(missing[0]).toBe(404)
    expect(refused(await restart(other.admin))).toEqual(missing)
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera}`, { ativa: false })
    expect(refused(await restart())).toEqual([404, { detail: expect.stringContaining('desativada') }])
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera}`, { ativa: true })
    expect(asked()).toEqual([])
  })

  it('explains a failure in a sentence', async () => {
    edge.answer = async () => ({ ok: false, falha: 'camera_desconhecida' })
    expect(refused(await restart())).toEqual([503, { detail: expect.stringContaining('ainda não recebeu') }])
    edge.answer = async () => ({ ok: false, falha: 'disco_indisponivel' })
    expect(refused(await restart())).toEqual([503, { detail: expect.stringContaining('disco') }])
    expect(await restarts()).toHaveLength(1)
  })
})

it('rejects for an edge that is not connected', async () => {
  await edge.stop()
  await waitFor('the goodbye', async () => (await diagnose()).status === 503 && asked().length === 0)
  from = edge.commands.length
  for (const answer of [await diagnose(), await restart()])
    expect(refused(answer)).toEqual([503, { detail: expect.stringContaining('não está conectada') }])
})
