import { createHash, randomUUID } from 'node:crypto'
import type { DetalhesIa } from '@vigia/contracts/candidate'
import type { Relato } from '@vigia/contracts/edge-state'
import type { Descartado, Evidencia } from '@vigia/contracts/extras'
import { nomesIas } from '@vigia/contracts/ias'
import { comandoLacradoSchema } from '@vigia/contracts/pedidos'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { encodeExtras } from '@vigia/link/extras-batch'
import { createCsr } from '@vigia/link/pki/csr'
import { unseal } from '@vigia/link/sealed'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { startFaultyProxy } from '@vigia/testing/faulty-proxy'
import { readPublish } from '@vigia/testing/mqtt-publish'
import type { RecordedMessage } from '@vigia/testing/release-folder'
import { waitFor } from '@vigia/testing/wait'
import type { Client } from '../clients/client.ts'
import { clipOf } from '../records/clips.ts'
import { batch, candidate, gap, JPEG, passage } from '../records/records.ts'
import { activateEdge } from '../stand-ins/activated-edge.ts'

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

/**
 * Sends one unsolicited message of each kind: a candidato of each IA, a gap, a passage, a report, a live frame, a
 * renewal.
 * @returns the id of the first candidato
 */
export async function sendEverything({ link }: RecordedEdge, cameraId: number, now: number): Promise<string> {
  const trajeto = Array.from({ length: 6 }, (_, index) => ({ ms: -500 + index * 100, x: 0.1, y: 0.2, w: 0.1, h: 0.3 }))
  const detalhes: DetalhesIa = {
    direcao: 'ab',
    duracao_s: 12.5,
    pessoas: 3,
    faltam: ['capacete', 'colete'],
    problema: 'preta',
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
  const seen = { inicio: now - 50_000, ocorrido_em: now - 49_000, fim: now - 45_000 }
  await link.publishBatch(batch([passage(cameraId, last + 9, { change: seen })]))
  const relato: Relato = {
    v: 1,
    config_versao: 1,
    versao: '0.1.0',
    instancia: '0197a000-0000-4000-8000-000000000001',
    enviado_em: now,
    relogio: { desvio_ms: 3, sincronizado: true },
    certificado: { sha256: '00'.repeat(32), vence_em: now + 86_400_000 },
    cameras: [
      {
        ...({ id: cameraId, estado: 'online', motivo: null, complemento: null, ultimo_frame_ha_ms: 100 } as const),
        codec: 'h264',
        resolucao: '640x360',
        fps: 15,
        quadro_chave_ms: 2000,
        taxa_kbps: 512,
        ias_sem_suporte: [],
        ias_indisponiveis: ['fogo'],
      },
    ],
    fila: 2,
    fila_memoria: 1,
    disco_gravavel: true,
    disco: { total: 10, livre: 5 },
    memoria: { total: 10, livre: 5 },
    cpu: 0.5,
    temperatura: 51.5,
  }
  await link.publishReport(relato)
  link.publishLiveFrame({ v: 1, camera_id: cameraId, largura: 16, altura: 12 }, JPEG)
  const { csrPem } = await createCsr()
  await link.publishRenewal({ v: 1, id: '0197a000-0000-4000-8000-00000000000a', csr: csrPem })
  return records[0]?.id ?? ''
}

const imagem = {
  tipo: 'image/jpeg' as const,
  tamanho: JPEG.length,
  sha256: createHash('sha256').update(JPEG).digest('hex'),
}

/** A discarded candidate with the picture `JPEG`. */
export const descartadoOf = (cameraId: number, now: number): Descartado => ({
  tipo: 'descartado',
  v: 1,
  id: randomUUID(),
  camera_id: cameraId,
  ia: 'invasao',
  ocorrido_em: now - 3_000,
  motivo: 'conf',
  trilha: 'a-1',
  visita: 'a-1',
  disparou_ms: null,
  completo: true,
  confianca: 0.42,
  caixa: { rotulo: 'person', confianca: 0.42, x: 0.1, y: 0.1, w: 0.2, h: 0.5 },
  trajeto: [],
  marcas: [[0, 0.42, 0.1, 0]],
  calibracao: { conf: 0.45 },
  omitidos: 0,
  imagem,
})

/** A further picture of the candidato `evento`. */
export const evidenciaOf = (cameraId: number, evento: string): Evidencia => ({
  tipo: 'evidencia',
  v: 1,
  id: randomUUID(),
  camera_id: cameraId,
  evento,
  fonte: 'sub',
  dt_ms: -600,
  redetectada: true,
  imagem,
  caixas: [{ rotulo: 'person', confianca: 0.5, x: 0.3, y: 0.3, w: 0.3, h: 0.3 }],
})

/** Sends an extra of each kind about a stored candidato. */
export async function sendExtras({ link }: RecordedEdge, cameraId: number, evento: string, now: number): Promise<void> {
  const { item } = clipOf(cameraId, [evento], { inicio: now - 60_000 })
  const payload = encodeExtras([
    { extra: evidenciaOf(cameraId, evento), imagem: JPEG },
    { extra: descartadoOf(cameraId, now), imagem: JPEG },
    item,
  ])
  if (payload === null) throw new Error('more than a batch takes')
  await link.publishExtras(payload)
}
