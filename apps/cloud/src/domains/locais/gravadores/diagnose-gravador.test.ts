import type { ChamadaGravador, DiagnosticoGravador } from '@vigia/contracts/diagnostico-gravador'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

const HOST = '192.0.2.77'
const SENHA_GRAVADOR = 'frase-do-gravador'
const none = { porta: null, status: null, trechos: null, relogio: null }
const chamadas: ChamadaGravador[] = [
  { ...none, chamada: 'ao_vivo', resultado: 'ok', ms: 12, status: 200 },
  { ...none, chamada: 'porta_http', resultado: 'nao_respondeu', ms: 3, porta: 8080 },
  {
    ...none,
    chamada: 'relogio',
    resultado: 'ok',
    ms: 40,
    relogio: { desvio_ms: -61_000, fuso_min: -180, z_local: true, medido: true },
  },
  { ...none, chamada: 'lista', resultado: 'sem_permissao', ms: 90 },
]

const app = fixture(startAppWithBroker)
const account = fixture(() => app.account('Loja'))
const edge = fixture(() => startStandInEdge(account.admin, app.url))

it('explains each call of the edge, without address and login', async () => {
  const login = { fabricante: 'intelbras', host: HOST, porta: 554, usuario: 'zelador', senha: SENHA_GRAVADOR }
  const { id } = await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/gravadores', {
    ...login,
    num_canais: 4,
    edge_id: edge.id,
  })
  const path = `/api/v1/gravadores/${id}/diagnostico`
  const refused = await account.admin.expect(409, 'GET', path)
  expect(refused).toMatchObject({ detail: expect.stringContaining('câmera ativa') })
  const camera = { nome: 'Doca', gravador_id: id, canal: 1, edge_id: edge.id }
  await account.admin.expect(201, 'POST', '/api/v1/cameras', camera)
  edge.answer = async () => ({ ok: true, resultado: { chamadas } })
  const report = await account.admin.expect<DiagnosticoGravador>(200, 'GET', path)
  expect(report.chamadas.map(({ titulo }) => titulo)).toEqual([
    'Vídeo ao vivo (RTSP DESCRIBE)',
    'Porta HTTP 8080',
    'Relógio (ONVIF GetSystemDateAndTime)',
    'Lista das últimas 24 horas',
  ])
  expect(report.texto).toContain('Desvio de -61 s, fuso -3:00, Z como hora local.')
  expect(report.texto).toContain('direito de reprodução')
  for (const secret of [HOST, SENHA_GRAVADOR, 'zelador']) expect(JSON.stringify(report)).not.toContain(secret)
  await account.usuario.expect(403, 'GET', path)
  const other = await app.account('Farmácia')
  await other.admin.expect(404, 'GET', path)
  edge.answer = async () => ({ ok: false, falha: 'comando_desconhecido' })
  expect(await account.admin.expect(503, 'GET', path)).toMatchObject({ detail: expect.stringContaining('antiga') })
})
