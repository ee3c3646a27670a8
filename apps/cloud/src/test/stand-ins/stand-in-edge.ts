import type { Confirmacoes } from '@vigia/contracts/candidate'
import { type CameraRelatada, RELATO_S, type Relato } from '@vigia/contracts/edge-state'
import { type Comando, comandoLacradoSchema } from '@vigia/contracts/pedidos'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import type { CommandAnswer } from '@vigia/link/responder'
import { unseal } from '@vigia/link/sealed'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { sampleReport } from '@vigia/link/testing/sample-report'
import { waitFor } from '@vigia/testing/wait'
import type { Client } from '../clients/client.ts'
import { activateEdge } from './activated-edge.ts'

/** A simulated edge, from its activation to its answers, which the test defines. */
export interface StandInEdge {
  readonly id: number
  readonly link: EdgeLink
  /** Received commands, in order. */
  readonly commands: readonly Comando[]
  answer: (comando: Comando) => Promise<CommandAnswer>
  /** Reports these cameras as online, and no others. `more`: further fields of each; `edge`: of the report. */
  report(
    cameraIds: readonly number[],
    more?: Partial<CameraRelatada>,
    configVersao?: number,
    edge?: Partial<Relato>,
  ): Promise<void>
  /** Sends a batch, and again each second while it has no answer, as an edge does. Resolves with the first answer. */
  deliver(payload: Buffer): Promise<Confirmacoes>
  stop(): Promise<void>
}

/** Creates and activates an edge over the API as `by`; resolves when the cloud sees it online. */
export async function startStandInEdge(by: Client, url: string): Promise<StandInEdge> {
  const { id, identity, mqttUrl, sealKey } = await activateEdge(by, url)
  const link = createEdgeLink({
    url: mqttUrl,
    edgeId: id,
    tls: () => identity,
    log: createMemoryLog(),
    backoff: { minMs: 50, maxMs: 300 },
  })
  const commands: Comando[] = []
  const confirmations: Confirmacoes[] = []
  link.onConfirmations((received) => void confirmations.push(received))
  const edge: StandInEdge = {
    id,
    link,
    commands,
    answer: async () => ({ ok: true, resultado: {} }),
    async report(cameraIds, more = {}, configVersao = 1, own = {}) {
      const cameras = cameraIds.map((id) => ({
        ...({ id, estado: 'online', motivo: null, complemento: null, ultimo_frame_ha_ms: 100 } as const),
        codec: 'h264',
        resolucao: '640x360',
        fps: 15,
        quadro_chave_ms: 2000,
        taxa_kbps: 512,
        ias_sem_suporte: [],
        ias_indisponiveis: [],
        ...more,
      }))
      const relato = sampleReport({ config_versao: configVersao, cameras, ...own })
      await link.publishReport(relato)
      // A report may be lost (QoS 0). A real edge sends its next one by itself.
      const again = setInterval(() => void link.publishReport(relato).catch(() => {}), RELATO_S * 1000)
      await waitFor('the cameras to be online', async () => {
        const seen = await by.expect<{ id: number; status: string }[]>(200, 'GET', '/api/v1/cameras')
        return cameraIds.every((id) => seen.some((one) => one.id === id && one.status === 'online'))
      }).finally(() => clearInterval(again))
    },
    async deliver(payload) {
      const before = confirmations.length
      const send = async () => {
        if (confirmations.length === before) await link.publishBatch(payload)
        return confirmations[before]
      }
      return await waitFor('the answer to a batch', send, { everyMs: 1_000 })
    },
    stop: link.stop,
  }
  link.onRequest(async (sealed) => {
    const { comando } = comandoLacradoSchema.parse(await unseal(sealKey, sealed))
    commands.push(comando)
    return await edge.answer(comando)
  })
  link.start()
  await waitFor('the edge to be connected', () => link.connected)
  // The cloud takes the presence in its turn.
  await waitFor('the edge to be online', async () => {
    const { status } = await by.expect<{ status: string }>(200, 'GET', `/api/v1/edges/${id}`)
    return status === 'online'
  })
  return edge
}
