import type { TextContent } from '@modelcontextprotocol/sdk/types.js'
import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { type Backstage, openBackstage } from '../../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'
import { tools } from '../tools/catalogue.ts'
import { prompts } from './prompts.ts'

const START = Date.parse('2026-01-31T22:00:00-03:00')
const MINUTE = 60_000

let agent: AgentClient
let own: Awaited<ReturnType<Backstage['camera']>>
let foreign: Awaited<ReturnType<Backstage['camera']>>
const inShift: number[] = []
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const { empresaId } = await app.account('Própria')
  own = await backstage.camera(empresaId)
  foreign = await backstage.camera((await app.account('Alheia')).empresaId)
  await backstage.event(foreign, { ocorrido_em: START + MINUTE })
  await backstage.event(own, { ocorrido_em: START - MINUTE })
  for (const at of [0, 10, 20]) inShift.push(await backstage.event(own, { ocorrido_em: START + at * MINUTE }))
  await backstage.event(own, { ocorrido_em: START + 8 * 60 * MINUTE })
  const [first = 0, second = 0] = inShift
  await backstage.verdict(first, 'confirmado')
  await backstage.verdict(second, 'refutado')
  const review = { rotulo_humano: 'refutado', revisor: 'Ana' }
  await app.operator.expect(200, 'POST', `/api/v1/events/${first}/revisao`, review)
  const queda = (inicio: number, fim: number | null) =>
    backstage.db
      .insertInto('quedas')
      .values({
        empresa_id: empresaId,
        edge_id: own.edgeId,
        camera_id: own.cameraId,
        nome: 'Portão',
        inicio,
        fim,
        motivo: 'sem_resposta',
      })
      .execute()
  await queda(START - 60 * MINUTE, START - MINUTE)
  await queda(START - MINUTE, START + MINUTE)
  await queda(START + 9 * 60 * MINUTE, null)
  agent = await connectAgent(app, `usuario-${empresaId}`)
})
afterAll(async () => {
  await agent?.close()
})

/** The instruction, and the data blocks after it as one object. */
async function get(name: string, given: Record<string, string>) {
  const { messages } = await agent.client.getPrompt({ name, arguments: given })
  const [instruction = '', ...rest] = messages.map(({ content }) => (content as TextContent).text)
  const data = rest.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text))
  return { instruction, data: Object.assign({}, ...data) }
}

describe('relatorio_turno', () => {
  const turno = { inicio: '2026-01-31T22:00:00-03:00', fim: '2026-02-01T06:00:00-03:00' }

  it('contains the events of the shift, and none from before, after or other Empresas', async () => {
    const { data } = await get('relatorio_turno', turno)
    expect(data).toMatchObject({
      turno,
      totais: {
        eventos: 3,
        por_veredito: { confirmado: 1, refutado: 1, pendente: 1 },
        por_gravidade: { alta: 3, critica: 0 },
      },
      total_fora_do_ar_agora: 1,
      cameras_fora_do_ar_agora: [{ id: own.cameraId }],
    })
    expect(data.eventos.map(({ id }: { id: number }) => id)).toEqual([...inShift].reverse())
    expect(data.eventos.map(({ revisao }: { revisao: string | null }) => revisao)).toEqual([null, null, 'refutado'])
    expect(data.quedas_no_turno).toMatchObject([{ inicio: new Date(START - MINUTE).toISOString() }])
    const alone = await get('relatorio_turno', { ...turno, empresa_id: String(own.empresaId) })
    expect(alone.data.totais).toEqual(data.totais)
  })

  it.each([
    ['a shift that ends before it begins', { inicio: turno.fim, fim: turno.inicio }, 'terminar depois'],
    ['no time zone', { ...turno, fim: '2026-02-01T06:00:00' }, 'fim'],
    [
      'another Empresa',
      {
        ...turno,
        get empresa_id() {
          return String(foreign.empresaId)
        },
      },
      '',
    ],
    ['a field that it does not have', { ...turno, camera: '1' }, 'camera'],
  ])('refuses %s', async (_, given, named) => {
    await expect(get('relatorio_turno', { ...given })).rejects.toThrow(named)
  })
})

describe('investigar_falsos_alarmes', () => {
  it('separates refuted and confirmed events, with the calibration in force', async () => {
    const { data } = await get('investigar_falsos_alarmes', { camera_id: String(own.cameraId) })
    expect(data).toMatchObject({
      camera: { id: own.cameraId, eventos_habilitados: ['invasao'] },
      refutados: [{ id: inShift[1], revisao: null }],
      total_refutados: 1,
      confirmados: [{ id: inShift[0], revisao: 'refutado' }],
      calibracao_em_vigor: { invasao: { conf: 0.45 } },
      limiares: [{ nome: 'invasao' }],
      metricas: { total: 5 },
    })
    expect(JSON.stringify(data)).not.toContain('rtsp://')
    const elsewhere = get('investigar_falsos_alarmes', { camera_id: String(foreign.cameraId) })
    await expect(elsewhere).rejects.toThrow('Câmera não encontrada. Confira o id')
  })
})

describe('planejar_calibracao', () => {
  it('puts the aim into the data block', async () => {
    const objetivo = 'avisar de pessoas no pátio à noite'
    const { instruction, data } = await get('planejar_calibracao', { camera_id: String(own.cameraId), objetivo })
    expect(data).toMatchObject({ objetivo, camera: { id: own.cameraId }, calibracao: { salva: {} } })
    expect(instruction).not.toContain(objetivo)
    await expect(get('planejar_calibracao', { camera_id: String(foreign.cameraId), objetivo })).rejects.toThrow(
      'Câmera não encontrada. Confira o id',
    )
  })
})

describe('every prompt', () => {
  it('names only tools that exist', async () => {
    for (const { nome } of prompts) {
      const camera_id = String(own.cameraId)
      const given = { inicio: '2026-01-01T00:00:00Z', fim: '2026-01-02T00:00:00Z', camera_id, objetivo: 'x' }
      const { shape } = prompts.find((prompt) => prompt.nome === nome)?.argumentos ?? { shape: {} }
      const entries = Object.entries(given).filter(([name]) => name in shape)
      const { instruction } = await get(nome, Object.fromEntries(entries))
      const named = [...instruction.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name)
      expect(named.filter((name) => !tools.some((tool) => tool.nome === name))).toEqual([])
    }
  })
})
