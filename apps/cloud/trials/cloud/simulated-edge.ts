import { createHash, randomUUID } from 'node:crypto'
import type { Candidato } from '@vigia/contracts/candidate'
import { encodeBatch } from '@vigia/link/batch'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import type { SeededEdge } from './stage.ts'

/** An edge that only sends: its link, and one camera with consecutive events. */
export interface SimulatedEdge {
  readonly link: EdgeLink
  /** Ids of the confirmed events. */
  readonly stored: ReadonlySet<string>
  /**
   * Sends a batch of `records` new events and resolves with their ids when the cloud has confirmed their commit. Sends
   * it again after `AGAIN_MS` without an answer and after a reconnection, as an edge does.
   */
  send(records: number): Promise<readonly string[]>
  stop(): Promise<void>
}

const AGAIN_MS = 5_000
const CROP = blankJpeg(5_700, 'crop')
const CROP_SHA256 = createHash('sha256').update(CROP).digest('hex')
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export function createSimulatedEdge({ id, cameraId, identity }: SeededEdge, url: string): SimulatedEdge {
  const link = createEdgeLink({
    url,
    edgeId: id,
    tls: () => identity,
    log: silent,
    backoff: { minMs: 100, maxMs: 500 },
  })
  const serie = randomUUID()
  const stored = new Set<string>()
  /** The batch without an answer. */
  let open: { readonly payload: Buffer; readonly ids: readonly string[]; done(): void } | null = null
  let again: NodeJS.Timeout | undefined
  let seq = 0

  const publish = () => {
    clearTimeout(again)
    if (open === null) return
    again = setTimeout(publish, AGAIN_MS)
    // Without a connection the batch follows after the next one.
    if (link.connected) link.publishBatch(open.payload).catch(() => {})
  }
  link.onConnection((connected) => {
    if (connected) publish()
  })
  link.onConfirmations(({ itens }) => {
    if (itens.some(({ resultado }) => resultado === 'recusado')) throw new Error(`edge ${id}: ${itens[0]?.motivo}`)
    for (const { id: uuid, resultado } of itens)
      if (resultado === 'gravado' || resultado === 'repetido') stored.add(uuid)
    if (open?.ids.every((uuid) => stored.has(uuid))) open.done()
  })
  link.start()

  return {
    link,
    stored,
    send(records) {
      const itens = Array.from({ length: records }, () => {
        seq += 1
        return { registro: event(cameraId, seq), base: seq, desde: seq, midias: [CROP] }
      })
      const payload = encodeBatch({ serie, itens })
      if (payload === null) throw new Error('more than a batch takes')
      const ids = itens.map(({ registro }) => registro.id)
      return new Promise((resolve) => {
        open = {
          payload,
          ids,
          done() {
            open = null
            clearTimeout(again)
            resolve(ids)
          },
        }
        publish()
      })
    },
    async stop() {
      open = null
      clearTimeout(again)
      await link.stop()
    },
  }
}

const event = (cameraId: number, seq: number): Candidato => ({
  tipo: 'candidato',
  v: 1,
  id: randomUUID(),
  camera_id: cameraId,
  seq,
  ia: 'invasao',
  ocorrido_em: Date.now(),
  relogio: { desvio_ms: 0, sincronizado: true },
  confianca: 0.7,
  rotulos: ['person'],
  zona: null,
  caixas: [{ rotulo: 'person', confianca: 0.7, x: 0.2, y: 0.2, w: 0.3, h: 0.6 }],
  quadro: { largura: 640, altura: 480 },
  calibracao: { conf: 0.45 },
  modelo: 'nanodet-g-416',
  detalhes: {},
  midias: [{ papel: 'crop', tipo: 'image/jpeg', tamanho: CROP.length, sha256: CROP_SHA256 }],
  midia_descartada: false,
})
