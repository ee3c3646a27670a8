import { setTimeout as delay } from 'node:timers/promises'
import type { AudioRelatado } from '@vigia/contracts/audio'
import { type CameraFailure, FULL_TEXT } from '@vigia/contracts/camera-failures'
import type { Fontes } from '@vigia/contracts/edge-state'
import type { Leitura } from '@vigia/contracts/transporte'
import { createConnection } from '@vigia/video/connection'
import type { StreamParameters } from '@vigia/video/packet'
import { type CameraDecoder, createCameraDecoder } from './camera-decoder.ts'
import { hostOf, loginOf } from './connection-slots.ts'
import type { StreamStatus } from './model.ts'
import { createRetryPolicy, isUnreachable, type StreamChoice } from './retry-policy.ts'
import type { CameraSessionOptions } from './session-options.ts'
import { createSessionReaders, type SessionReaders } from './session-readers.ts'
import { createStatusTracker, type StatusTracker } from './stream-status.ts'
import { createTimeline } from './timeline.ts'

export interface CameraSession {
  /** The stream that the session reads, or tries to read. */
  readonly choice: StreamChoice
  readonly attach: SessionReaders['attach']
  /** Switches to other addresses; no effect when they are equal. */
  use(fontes: Fontes): void
  /** Closes the connection or ends the retry delay, and reconnects at once with the failure count at zero. */
  restart(): void
  status(): StreamStatus
  /** Time in ms since the last sign that the connection is read; 0 without a connection. */
  silentMs(): number
  stop(): Promise<void>
}

const ENDED = { failure: 'fluxo_encerrado', detail: null } as const

const now = () => performance.now()

/** Reads one camera and reconnects until `stop`. */
export function createCameraSession(options: CameraSessionOptions): CameraSession {
  const { cameraId, log, slots } = options
  const tracker = createStatusTracker(cameraId, now, options.lastFailure)
  const timeline = createTimeline()
  let fontes = options.fontes
  let current = new AbortController()
  let stopped = false
  /** Decoder of the current connection; null: none. */
  let decoding: CameraDecoder | null = null
  let choice: StreamChoice = fontes.sub_rtsp_url === null ? 'principal' : 'sub'
  const readers = createSessionReaders({ cameraId, recorder: options.recorder, log })
  const notes = createStreamNotes(options.audio)
  const waits = createWaits(tracker, options)

  async function readOnce(url: string, signal: AbortSignal): Promise<{ failure: CameraFailure; ranMs: number } | null> {
    const onWait = { onFull: waits('equipamento_ocupado', FULL_TEXT), onRefused: waits('senha_recusada') }
    const slot = await slots.acquire({ host: hostOf(url), login: loginOf(url), use: 'analysis', signal, ...onWait })
    if (!slot) return null
    const [isSecond, audio] = [options.rtspClient.isTrying(url), notes.isDue()]
    timeline.reconnect()
    tracker.reading(true)
    const decoder = createCameraDecoder({ ...options, tracker, timeline, onOpened: slot.opened })
    decoding = decoder
    options.onChange()
    try {
      const connection = createConnection({ url, client: options.rtspClient, audio })
      decoder.attach(connection)
      connection.attach(notes.reader)
      readers.opened(connection, choice)
      const end = await connection.run(signal)
      if (end === 'aborted') return null
      const { failure, detail } = end === 'end' ? ENDED : end
      slot[failure === 'senha_recusada' ? 'refused' : isUnreachable(failure) ? 'unreachable' : 'lost']()
      tracker.ended(failure, detail, { choice, hadPictures: decoder.firstFrameAt !== null, isSecond })
      return { failure, ranMs: decoder.firstFrameAt === null ? 0 : now() - decoder.firstFrameAt }
    } finally {
      notes.ended(audio && decoder.firstFrameAt === null && !signal.aborted)
      slot.release()
      readers.closed()
      decoding = null
      tracker.reading(false)
      options.onChange()
    }
  }

  /** Returns when the addresses change or the session stops. */
  async function readForEver({ rtsp_url, sub_rtsp_url }: Fontes, signal: AbortSignal): Promise<void> {
    const policy = createRetryPolicy(sub_rtsp_url !== null)
    while (!signal.aborted) {
      choice = policy.choice
      const url = choice === 'sub' ? (sub_rtsp_url ?? rtsp_url) : rtsp_url
      const end = await readOnce(url, signal).catch((error: unknown) => {
        // A defect of this software at one camera must not stop the others, so it is retried like any failure.
        log.error({ camera: cameraId, err: error }, 'capture failed')
        tracker.failed('erro_desconhecido', null)
        return { failure: 'erro_desconhecido' as const, ranMs: 0 }
      })
      if (!end) return
      const waitMs = options.rtspClient.isTrying(url) ? 0 : policy.failed(end.failure, end.ranMs)
      log.warn({ camera: cameraId, fluxo: choice, motivo: end.failure, esperaMs: waitMs }, 'stream ended')
      await delay(waitMs, undefined, { signal }).catch(() => {})
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      current = new AbortController()
      await readForEver(fontes, current.signal)
    }
  }

  const running = run()

  return {
    get choice() {
      return choice
    },
    attach: readers.attach,
    use(next) {
      if (next.rtsp_url === fontes.rtsp_url && next.sub_rtsp_url === fontes.sub_rtsp_url) return
      fontes = next
      tracker.restart()
      current.abort()
      options.onChange()
    },
    restart() {
      // The time of the last frame stays: an online camera remains online between two connections.
      tracker.failed('conectando', null)
      current.abort()
      options.onChange()
    },
    status: () => ({
      ...tracker.status(decoding?.activity.read(), decoding?.keyframeAgeMs),
      ...notes.status(choice),
      ...(decoding && { pictures: decoding.activity.pictures }),
    }),
    silentMs: () => (decoding === null ? 0 : now() - decoding.lastSignAt),
    async stop() {
      stopped = true
      current.abort()
      await running
    },
  }
}

/** The reason of a camera that waits for its turn to connect. */
const createWaits =
  (tracker: StatusTracker, { onChange }: Pick<CameraSessionOptions, 'onChange'>) =>
  (failure: CameraFailure, detail: string | null = null) =>
  () => {
    tracker.failed(failure, detail)
    onChange()
  }

/** Decides for each connection of a camera whether it requests the audio, and notes what it got. */
function createStreamNotes(isEnabled: boolean) {
  /** A recorder may refuse the stream for its audio: after a failure without a picture the next attempt omits it. */
  let isOmitted = false
  let audio: AudioRelatado | undefined
  let leitura: Leitura | undefined
  let perdas: StreamParameters['perdas']
  return {
    isDue: () => isEnabled && !isOmitted,
    /** Reads the answer of the camera from each connection. */
    reader: {
      opened({ parameters }: { readonly parameters: StreamParameters }) {
        if (isEnabled) audio = audioStatusOf(parameters)
        leitura = parameters.leitura
        perdas = parameters.perdas
      },
      packet() {},
    },
    /** `mayBeRefused`: the connection requested it, and had no picture. */
    ended(mayBeRefused: boolean) {
      isOmitted = mayBeRefused
    },
    status(choice: StreamChoice) {
      const counted = perdas?.()
      return { choice, ...(audio && { audio }), ...(leitura && { leitura }), ...(counted && { perdas: counted }) }
    },
  }
}

const audioStatusOf = ({ audio, noAudio }: StreamParameters): AudioRelatado =>
  audio ? 'enviando' : noAudio === 'format' ? 'formato' : 'sem_audio'
