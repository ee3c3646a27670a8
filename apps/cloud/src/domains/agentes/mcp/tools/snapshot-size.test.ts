import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { startAppWithBroker } from '../../../../test/clouds/app-with-broker.ts'
import { JPEG } from '../../../../test/records/records.ts'
import { type StandInEdge, startStandInEdge } from '../../../../test/stand-ins/stand-in-edge.ts'

let edge: StandInEdge
let agent: AgentClient
let camera: number
const app = fixture(startAppWithBroker)

beforeAll(async () => {
  const { admin, empresaId } = await app.account('Mercado')
  edge = await startStandInEdge(admin, app.url)
  const made = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.1:1/1', edge_id: edge.id }
  camera = (await admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', made)).id
  await edge.report([camera])
  agent = await connectAgent(app, `usuario-${empresaId}`)
})
afterAll(async () => {
  await agent?.close()
  await edge?.stop()
})

it('requests a picture of a size that clients accept', async () => {
  edge.answer = async () => ({ ok: true, resultado: { largura: 16, altura: 12 }, corpo: JPEG })
  const { imagens } = await agent.call('capturar_imagem', { camera_id: camera })
  expect(imagens).toEqual([{ tipo: 'image/jpeg', bytes: JPEG }])
  expect(edge.commands.at(-1)).toEqual({ acao: 'capturar_quadro', camera_id: camera, lado_maximo: 1568 })
})
