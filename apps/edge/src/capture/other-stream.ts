import { setTimeout as delay } from 'node:timers/promises'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { backoffMs } from '@vigia/runtime/backoff'
import { type ClientChoice, type RtspClient, toClientChoice } from '@vigia/video/client-choice'
import type { PacketReader } from '@vigia/video/packet-reader'
import { createActivityMeter } from '@vigia/video/readers/activity'
import type { Logger } from 'pino'
import type { FurtherStreams } from './further-streams.ts'
import { createLivePackager } from './live-packager.ts'
import type { LiveCamera, StreamFailure, StreamOrder, StreamRefusal } from './stream-order.ts'

export interface OtherStreamOptions {
  readonly url: string
  readonly client: RtspClient | ClientChoice
  readonly order: StreamOrder
  readonly camera: Pick<LiveCamera, 'session' | 'audio'>
  readonly streams: FurtherStreams
  readonly signal: AbortSignal
  readonly log: Logger
  onRecord(registro: RegistroTransmissao): void
}

/** Codecs that the analysis decodes, and that no browser plays in an MP4 file. */
export const isUnpackaged = (codec: string | null): boolean => codec === 'mjpeg' || codec === 'mpeg4'

const RETRY = { minMs: 1_000, maxMs: 10_000 }

/**
 * Failures before the first picture that mean "no free connection" while the analysed stream of the camera is read.
 * Dahua refuses the password of surplus clients.
 */
const BUSY: ReadonlySet<CameraFailure> = new Set([
  'equipamento_ocupado',
  'senha_recusada',
  'conexao_recusada',
  'fluxo_encerrado',
])

const ends: Partial<Record<CameraFailure, StreamFailure>> = {
  equipamento_ocupado: 'sem_conexao_livre',
  senha_recusada: 'senha_recusada',
  nao_encontrado: 'fluxo_inexistente',
  redirecionado: 'fluxo_inexistente',
  codec_nao_suportado: 'fluxo_inexistente',
}

/**
 * Reads a stream that the analysis does not read, and connects again after a failure. Returns the reason why it ended;
 * null: `signal` aborted.
 */
export async function readOtherStream(options: OtherStreamOptions): Promise<StreamRefusal | null> {
  const { url, client, order, streams, signal, log, onRecord } = options
  const { session, audio } = options.camera
  const meter = createActivityMeter()
  const packager = createLivePackager({
    partMs: order.partMs,
    audio,
    figures() {
      const read = meter.read()
      return { fps: read?.packetsPerSecond ?? null, gopMs: read?.keyframeIntervalMs ?? null }
    },
    onRecord,
  })
  const unpackaged = new AbortController()
  const reading = AbortSignal.any([signal, unpackaged.signal])
  for (let failures = 0; !signal.aborted; failures++) {
    let hasPicture = false
    const witness: PacketReader = {
      packet({ parameters: { codec } }) {
        hasPicture = true
        if (isUnpackaged(codec)) unpackaged.abort()
      },
    }
    const readers = [witness, meter, packager].map((reader) => ({ reader }))
    const end = await streams.read({ url, client, audio, use: 'live', readers, signal: reading })
    if (unpackaged.signal.aborted) return { falha: 'fluxo_inexistente' }
    if (end === 'aborted') return null
    if (end === 'full') return { falha: 'sem_conexao_livre' }
    const failure = end === 'end' ? 'fluxo_encerrado' : end.failure
    log.warn({ camera: order.cameraId, fluxo: order.fluxo, motivo: failure }, 'connection of a live stream ended')
    // The attempt of the second client follows at once.
    if (toClientChoice(client).isTrying(url)) continue
    const analysed = session.status()
    // After a restart of the recorder the analysed stream counts as online for a while.
    const isReading = analysed.online && analysed.failure === null
    const isBusy = !hasPicture && BUSY.has(failure) && isReading
    if (isBusy) return { falha: 'sem_conexao_livre' }
    const falha = ends[failure]
    if (falha === 'fluxo_inexistente' && end !== 'end')
      return { falha, causa: { motivo: failure, complemento: end.detail } }
    if (falha) return { falha }
    await delay(backoffMs(failures, RETRY), undefined, { signal }).catch(() => {})
  }
  return null
}
