import { VigiaError } from '@vigia/contracts/errors'
import type { CloudLink } from '@vigia/link/cloud-link'
import { jpegSize } from '@vigia/link/jpeg-size'
import type { Logger } from '../../http/request-log.ts'
import type { AskEdge } from '../edges/ask/ask-edge.ts'
import { edgeFailureText } from '../edges/ask/probing.ts'

/** What one viewer would like to have. */
export interface Wish {
  /** Longer side of a frame, pixels. */
  readonly lado: number
  /** Frames a second. */
  readonly fps: number
}

/** One who watches a camera. */
export interface Viewer {
  /**
   * The newest frame, unless this viewer had it already: then the next one. null: none came within `waitMs`.
   * @throws VigiaError `indisponivel` when the edge does not send this camera
   */
  next(waitMs: number): Promise<Buffer | null>
  leave(): void
}

/** The cameras that are watched now. All who watch one camera share what its edge sends. */
export interface LiveViews {
  /** @throws VigiaError `muitas_requisicoes` when too many watch this camera */
  watch(camera: { readonly id: number; readonly edgeId: number }, wish: Wish): Viewer
  stop(): void
}

interface LiveViewsDeps {
  readonly link: Pick<CloudLink, 'onLiveFrame'>
  readonly askEdge: AskEdge
  readonly log: Logger
  /** How long an edge goes on without being asked again, and how often it is asked, ms. */
  readonly leaseMs?: number
  readonly renewMs?: number
}

interface Seat {
  readonly wish: Wish
  /** Number of the last frame that it was given. */
  seen: number
  wake(): void
}

interface Session {
  readonly cameraId: number
  readonly edgeId: number
  readonly seats: Set<Seat>
  /** Only the newest: who is late has lost those in between. `at`: monotonic ms. */
  frame: { readonly number: number; readonly jpeg: Buffer; readonly at: number } | null
  failure: Error | null
  /** Aborts when the last viewer leaves. */
  idle: AbortController
  /** Who watches, or what they want, changed. */
  wake(): void
}

const MAX_VIEWERS = 64
const PRAZO_MS = 8_000
const RETRY_MS = 2_000
/** A frame older than this shows nothing live, and an edge that sent none for so long sends none. */
const STALE_MS = 10_000

const failureText = {
  ...edgeFailureText,
  ocupado: 'O edge já mostra ao vivo o máximo de câmeras. Feche outra e tente de novo.',
}

export function createLiveViews({ link, askEdge, log, leaseMs = 30_000, renewMs = 10_000 }: LiveViewsDeps): LiveViews {
  const sessions = new Map<string, Session>()
  const stopping = new AbortController()
  const keyOf = (edgeId: number, cameraId: number) => `${edgeId}/${cameraId}`

  link.onLiveFrame((edgeId, { camera_id }, jpeg) => {
    const session = sessions.get(keyOf(edgeId, camera_id))
    // What an edge calls a picture goes to a browser: it has to be one.
    if (!session || jpegSize(jpeg) === null) return
    session.frame = { number: (session.frame?.number ?? 0) + 1, jpeg, at: performance.now() }
    for (const seat of session.seats) seat.wake()
  })

  /** null: the edge sends the camera. */
  async function begin({ edgeId, cameraId, idle }: Session, { lado, fps }: Wish): Promise<VigiaError | null> {
    const size = { quadros_por_s: fps, lado_maximo: lado, validade_ms: leaseMs }
    const command = { acao: 'iniciar_ao_vivo', camera_id: cameraId, ...size } as const
    const signal = AbortSignal.any([stopping.signal, idle.signal])
    try {
      const answer = await askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal })
      return answer.ok ? null : new VigiaError('indisponivel', { detalhe: failureText[answer.falha] })
    } catch (error) {
      if (error instanceof VigiaError) return error
      throw error
    }
  }

  /** The edge stops by itself when its lease is over; to be told spares a site's uplink the rest of it. */
  async function end({ edgeId, cameraId }: Session): Promise<void> {
    const command = { acao: 'parar_ao_vivo', camera_id: cameraId } as const
    await askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal: stopping.signal }).catch((err: unknown) =>
      log.debug({ err, camera: cameraId }, 'edge not told that nobody watches'),
    )
  }

  /** Until something changes that the edge has to know, `ms` at most. */
  async function pause(session: Session, asked: Wish, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    session.wake = () => {
      const { lado, fps } = largest(session.seats)
      if (stopping.signal.aborted || session.seats.size === 0 || lado > asked.lado || fps > asked.fps) resolve()
    }
    session.wake()
    await promise
    clearTimeout(timer)
    session.wake = () => {}
  }

  /** One loop for each camera, so that its edge is never told two things at once. */
  async function serve(session: Session): Promise<Error | null> {
    while (!stopping.signal.aborted) {
      if (session.seats.size === 0) {
        await end(session)
        if (session.seats.size === 0) return null
      }
      session.idle = new AbortController()
      const asked = largest(session.seats)
      const failure = await begin(session, asked)
      if (session.idle.signal.aborted) continue
      // Frames say more than an answer that was lost.
      if (failure && (!session.frame || performance.now() - session.frame.at > STALE_MS)) return failure
      await pause(session, asked, failure ? RETRY_MS : renewMs)
    }
    return null
  }

  function open(cameraId: number, edgeId: number): Session {
    const session: Session = {
      cameraId,
      edgeId,
      seats: new Set(),
      frame: null,
      failure: null,
      idle: new AbortController(),
      wake: () => {},
    }
    const over = (failure: Error | null) => {
      sessions.delete(keyOf(edgeId, cameraId))
      session.failure = failure
      for (const seat of session.seats) seat.wake()
    }
    sessions.set(keyOf(edgeId, cameraId), session)
    // In its own turn: the first viewer has to be seated.
    queueMicrotask(() => serve(session).then(over, over))
    return session
  }

  return {
    watch({ id, edgeId }, wish) {
      const session = sessions.get(keyOf(edgeId, id)) ?? open(id, edgeId)
      if (session.seats.size >= MAX_VIEWERS)
        throw new VigiaError('muitas_requisicoes', { detalhe: 'Pessoas demais veem esta câmera agora.', tentarEmS: 30 })
      const seat: Seat = { wish, seen: 0, wake: () => {} }
      session.seats.add(seat)
      session.wake()
      const unseen = () => {
        const { frame } = session
        if (!frame || frame.number <= seat.seen || performance.now() - frame.at > STALE_MS) return null
        seat.seen = frame.number
        return frame.jpeg
      }
      return {
        async next(waitMs) {
          const { promise, resolve } = Promise.withResolvers<void>()
          const timer = setTimeout(resolve, waitMs)
          seat.wake = resolve
          const ready = unseen()
          if (!ready && !session.failure) await promise
          clearTimeout(timer)
          if (session.failure) throw session.failure
          return ready ?? unseen()
        },
        leave() {
          if (!session.seats.delete(seat) || session.seats.size > 0) return
          session.idle.abort()
          session.wake()
        },
      }
    },
    stop() {
      stopping.abort()
      for (const session of sessions.values()) session.wake()
    },
  }
}

/** What satisfies everybody: one stream serves all, and those who asked for less get frames that are larger. */
function largest(seats: ReadonlySet<Seat>): Wish {
  const wishes = [...seats].map(({ wish }) => wish)
  return {
    lado: Math.max(...wishes.map(({ lado }) => lado)),
    fps: Math.max(...wishes.map(({ fps }) => fps)),
  }
}
