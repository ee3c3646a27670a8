import type { DetalhesIa } from '@vigia/contracts/candidate'
import type { Relato } from '@vigia/contracts/edge-state'
import { nomesIas } from '@vigia/contracts/ias'
import { comandoLacradoSchema } from '@vigia/contracts/pedidos'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { createCsr } from '@vigia/link/pki/csr'
import { unseal } from '@vigia/link/sealed'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { startFaultyProxy } from '@vigia/testing/faulty-proxy'
import { readPublish } from '@vigia/testing/mqtt-publish'
import type { RecordedMessage } from '@vigia/testing/release-folder'
import { waitFor } from '@vigia/testing/wait'
import { activateEdge } from '../test/activated-edge.ts'
import type { Client } from '../test/client.ts'
import { batch, candidate, gap, JPEG } from '../test/records.ts'

/** An edge of this release that records every MQTT message in both directions, byte for byte. */
export interface RecordedEdge {
  readonly id: number
  readonly link: EdgeLink
  readonly sealKey: Readonly<Record<string, string>>
  readonly messages: readonly RecordedMessage[]
  stop(): Promise<void>
}

interface Installation {
  readonly url: string
  readonly mqttPort: number
  /** Certificate and key of the broker, PEM. */
  readonly broker: { readonly ca: string; readonly cert: string; readonly key: string }
}

/** Creates and activates an edge over the API as `by`, and connects it. */
export async function startRecordedEdge(by: Client, { url, mqttPort, broker }: Installation): Promise<RecordedEdge> {
  const { id, identity, sealKey } = await activateEdge(by, url, 'Caixa da loja')
  const messages: RecordedMessage[] = []
  const proxy = await startFaultyProxy({
    server: broker,
    upstream: { port: mqttPort, identity: async () => identity },
    random: Math.random,
    onPacket: (packet) => {
      const published = readPublish(packet)
      if (published === null) return
      messages.push({ topic: published.topic, payloadBase64: published.payload.toString('base64') })
    },
  })
  const link = createEdgeLink({
    url: `mqtts://127.0.0.1:${proxy.port}`,
    edgeId: id,
    tls: () => identity,
    log: createMemoryLog(),
  })
  link.onRequest(async (sealed) => {
    const { comando } = comandoLacradoSchema.parse(await unseal(sealKey, sealed))
    if (comando.acao === 'capturar_quadro') return { ok: true, resultado: { largura: 16, altura: 12 }, corpo: JPEG }
    if (comando.acao === 'sondar_portas') return { ok: true, resultado: { portas: [] } }
    return { ok: false, falha: 'sem_quadro' }
  })
  link.start()
  await waitFor('the edge to be connected', () => link.connected)
  return {
    id,
    link,
    sealKey: sealKey as Readonly<Record<string, string>>,
    messages,
    stop: async () => {
      await link.stop()
      await proxy.close()
    },
  }
}

/** Sends one unsolicited message of each kind: a candidato of each IA, a gap, a report, a live frame, a renewal. */
export async function sendEverything({ link }: RecordedEdge, cameraId: number, now: number): Promise<void> {
  const trajeto = Array.from({ length: 6 }, (_, index) => ({ ms: -500 + index * 100, x: 0.1, y: 0.2, w: 0.1, h: 0.3 }))
  const detalhes: DetalhesIa = {
    ...{ direcao: 'ab', duracao_s: 12.5, pessoas: 3, faltam: ['capacete', 'colete'], problema: 'preta' },
    trajeto,
  }
  const records = nomesIas.map((ia, index) =>
    candidate(cameraId, index + 1, {
      quadro: JPEG,
      change: { ia, ocorrido_em: now - 60_000 + index * 1000, detalhes },
    }),
  )
  const last = records.length
  await link.publishBatch(batch([...records, gap(cameraId, last + 1, last + 5)]))
  // A live record that is sent before two older records of the edge.
  const live = candidate(cameraId, last + 8, { quadro: JPEG, change: { ocorrido_em: now } })
  await link.publishBatch(batch([{ ...live, base: last + 6, desde: last + 8 }]))
  const relato: Relato = {
    ...{ v: 1, config_versao: 1, versao: '0.1.0', instancia: '0197a000-0000-4000-8000-000000000001' },
    ...{ enviado_em: now, relogio: { desvio_ms: 3, sincronizado: true } },
    certificado: { sha256: '00'.repeat(32), vence_em: now + 86_400_000 },
    cameras: [
      {
        ...({ id: cameraId, estado: 'online', motivo: null, complemento: null, ultimo_frame_ha_ms: 100 } as const),
        ...{ codec: 'h264', resolucao: '640x360', fps: 15, quadro_chave_ms: 2000, taxa_kbps: 512 },
        ...{ ias_sem_suporte: [], ias_indisponiveis: ['fogo'] },
      },
    ],
    ...{ fila: 2, fila_memoria: 1, disco_gravavel: true, disco: { total: 10, livre: 5 } },
    ...{ memoria: { total: 10, livre: 5 }, cpu: 0.5, temperatura: 51.5 },
  }
  await link.publishReport(relato)
  link.publishLiveFrame({ v: 1, camera_id: cameraId, largura: 16, altura: 12 }, JPEG)
  const { csrPem } = await createCsr()
  await link.publishRenewal({ v: 1, id: '0197a000-0000-4000-8000-00000000000a', csr: csrPem })
}
