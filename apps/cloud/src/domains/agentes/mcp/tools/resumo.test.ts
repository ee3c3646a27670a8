import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { drawnFrame, openBackstage } from '../../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'

let agent: AgentClient
let foreign: AgentClient
const ids: number[] = []
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const own = await app.account('Mercado')
  const other = await app.account('Padaria')
  const camera = await backstage.camera(own.empresaId)
  // An hour apart, so that each one is an incidente of its own. The first one is before the period.
  for (const [index, tipo] of (['invasao', 'invasao', 'fogo', 'invasao', 'invasao'] as const).entries()) {
    const ocorrido_em = Date.parse('2026-09-21T20:30:00-03:00') + index * 3_600_000
    ids.push(await backstage.event(camera, { tipo, ocorrido_em, gravidade: tipo === 'fogo' ? 'critica' : 'alta' }))
  }
  const [, uncertain = 0, fire = 0, refuted = 0] = ids
  await backstage.verdict(uncertain, 'confirmado', 'baixa')
  await backstage.verdict(fire, 'confirmado')
  await backstage.verdict(refuted, 'refutado')
  agent = await connectAgent(app, `usuario-${own.empresaId}`)
  foreign = await connectAgent(app, `usuario-${other.empresaId}`)
})
afterAll(async () => {
  await agent?.close()
  await foreign?.close()
})

const NIGHT = { desde: '2026-09-21T21:00:00-03:00', ate: '2026-09-22T06:00:00-03:00' }
const none = { confirmados: 0, incertos: 0, refutados: 0, pendentes: 0 }

it('counts by hour of the Empresa, IA and verdict, and shows the best pictures first', async () => {
  const { dados, imagens } = await agent.call('resumo_periodo', { ...NIGHT, camera: 'portao' })
  const [, uncertain, fire, , pending] = ids
  expect(dados).toMatchObject({
    cameras: ['Portão'],
    total: 4,
    parcial: false,
    por_veredito: { confirmados: 1, incertos: 1, refutados: 1, pendentes: 1 },
    por_hora: [
      { hora: '2026-09-21 21h', ...none, incertos: 1 },
      { hora: '2026-09-21 22h', ...none, confirmados: 1 },
      { hora: '2026-09-21 23h', ...none, refutados: 1 },
      { hora: '2026-09-22 00h', ...none, pendentes: 1 },
    ],
    por_tipo: [
      { tipo: 'invasao', ...none, incertos: 1, refutados: 1, pendentes: 1 },
      { tipo: 'fogo', ...none, confirmados: 1 },
    ],
  })
  expect((dados.imagens as { id: number }[]).map(({ id }) => id)).toEqual([fire, uncertain, pending])
  const bytes = await drawnFrame()
  expect(imagens).toEqual(Array.from({ length: 3 }, () => ({ tipo: 'image/jpeg', bytes })))
})

it('counts nothing of other Empresas', async () => {
  expect(await foreign.expect('resumo_periodo', NIGHT)).toMatchObject({ cameras: null, total: 0, imagens: [] })
  const { texto } = await foreign.call('resumo_periodo', { ...NIGHT, camera: 'Portão' })
  expect(texto).toContain('camera: Nenhuma câmera tem isso no nome')
})

it.each([
  [{ desde: NIGHT.ate, ate: NIGHT.desde }, 'terminar depois de começar'],
  [{ desde: '2026-01-01T00:00:00-03:00', ate: NIGHT.ate }, 'no máximo 31 dias'],
  [{ ...NIGHT, camera: 'quintal' }, 'Veja os nomes com listar_cameras'],
])('refuses %j', async (entrada, sentence) => {
  const { recusado, texto } = await agent.call('resumo_periodo', entrada)
  expect([recusado, texto]).toEqual([true, expect.stringContaining(sentence)])
})
