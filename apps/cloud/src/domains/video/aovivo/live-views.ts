import { VigiaError } from '@vigia/contracts/errors'
import type { Caixa } from '@vigia/contracts/eventos'
import type { CloudLink } from '@vigia/link/cloud-link'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import type { AskEdge } from '../../locais/public.ts'
import { isLivePicture, VIEW_PX } from './live-picture.ts'
import { type CameraRequest, createViewCommands, largest, type ViewRequest } from './view-commands.ts'

/** One frame of a live view. */
export interface LiveFrame {
  readonly jpeg: Buffer
  /** Objects of the last inference before this frame; null: an edge of an earlier release. */
  readonly caixas: readonly Caixa[] | null
}

/** One viewer of a camera. */
export interface Viewer {
  /**
   * The newest frame that this viewer has not received yet. null: no frame came within `waitMs`.
   * @throws VigiaError `indisponivel` when the edge does not send this camera
   */
  next(waitMs: number): Promise<LiveFrame | null>
  leave(): void
}

/** The live views of all cameras. All viewers of one camera share the frames of its edge. */
export interface LiveViews {
  /** @throws VigiaError `muitas_requisicoes` when the camera has too many viewers */
  watch(camera: { readonly id: number; readonly edgeId: number }, view: ViewRequest): Viewer
  stop(): void
}

/** Means of the views of live pictures. */
export interface LiveViewsDeps {
  readonly link: Pick<CloudLink, 'onLiveFrame' | 'watch'>
  readonly replica: Pick<Replica, 'shareRequest'>
  readonly askEdge: AskEdge
  readonly log: Logger
  /** Duration of the lease of a command to an edge, and interval of its renewals. */
  readonly leaseMs?: number
  readonly renewMs?: number
}

interface Seat {
  readonly view: ViewRequest
  /** Number of the last frame that this viewer received. */
  seen: number
  wake(): void
}

interface Session {
  readonly cameraId: number
  readonly edgeId: number
  readonly seats: Set<Seat>
  /** Only the newest frame is kept: a slow viewer loses the ones before. `at`: monotonic ms. */
  frame: (LiveFrame & { readonly number: number; readonly at: number }) | null
  failure: Error | null
  /** Aborts when the last viewer leaves. */
  idle: AbortController
  /** Signals that the viewers or their requests changed. */
  wake(): void
}

const MAX_VIEWERS = 64
const RETRY_MS = 2_000
/** Above this age a frame is not live. After this time without a frame the edge counts as not sending. */
const STALE_MS = 10_000

export function createLiveViews({
  link,
  replica,
  askEdge,
  log,
  leaseMs = 30_000,
  renewMs = 10_000,
}: LiveViewsDeps): LiveViews {
  const sessions = new Map<string, Session>()
  const stopping = new AbortController()
  const requestsOf = (edgeId: number): CameraRequest[] =>
    [...sessions.values()]
      .filter((session) => session.edgeId === edgeId && session.seats.size > 0)
      .map((session) => [session.cameraId, largest(viewsOf(session))])
  const { begin, end } = createViewCommands({ replica, askEdge, log, leaseMs, requestsOf, stopping: stopping.signal })
  const keyOf = (edgeId: number, cameraId: number) => `${edgeId}/${cameraId}`

  link.onLiveFrame((edgeId, { camera_id, caixas = null, miniatura }, jpeg) => {
    const session = sessions.get(keyOf(edgeId, camera_id))
    // Pictures of a mosaic are smaller than a live view.
    if (!session || miniatura || !isLivePicture(jpeg, VIEW_PX)) return
    session.frame = { number: (session.frame?.number ?? 0) + 1, jpeg, caixas, at: performance.now() }
    for (const seat of session.seats) seat.wake()
  })

  /** Resolves at a change that concerns the edge, or after `ms`. */
  async function pause(session: Session, asked: ViewRequest, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    session.wake = () => {
      const { lado, fps } = largest(viewsOf(session))
      if (stopping.signal.aborted || session.seats.size === 0 || lado > asked.lado || fps > asked.fps) resolve()
    }
    session.wake()
    await promise
    clearTimeout(timer)
    session.wake = () => {}
  }

  /** One loop for each camera, so that its edge gets one command at a time. */
  async function serve(session: Session): Promise<Error | null> {
    while (!stopping.signal.aborted) {
      if (session.seats.size === 0) {
        await end(session)
        if (session.seats.size === 0) return null
      }
      session.idle = new AbortController()
      const asked = largest(viewsOf(session))
      const failure = await begin(session, asked)
      if (session.idle.signal.aborted) continue
      // Frames prove success even if the answer was lost.
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
    const unwatch = link.watch(edgeId)
    const over = (failure: Error | null) => {
      unwatch()
      sessions.delete(keyOf(edgeId, cameraId))
      session.failure = failure
      for (const seat of session.seats) seat.wake()
    }
    sessions.set(keyOf(edgeId, cameraId), session)
    // The loop starts later, because the first viewer is added after this call.
    queueMicrotask(() => serve(session).then(over, over))
    return session
  }

  return {
    watch({ id, edgeId }, view) {
      const session = sessions.get(keyOf(edgeId, id)) ?? open(id, edgeId)
      if (session.seats.size >= MAX_VIEWERS)
        throw new VigiaError('muitas_requisicoes', { detalhe: 'Pessoas demais veem esta câmera agora.', tentarEmS: 30 })
      return seatOf(session, view)
    },
    stop() {
      stopping.abort()
      for (const session of sessions.values()) session.wake()
    },
  }
}

const viewsOf = ({ seats }: Session): ViewRequest[] => [...seats].map(({ view }) => view)

/** Adds a viewer to the session. */
function seatOf(session: Session, view: ViewRequest): Viewer {
  const seat: Seat = { view, seen: 0, wake: () => {} }
  session.seats.add(seat)
  session.wake()
  const unseen = () => {
    const { frame } = session
    if (!frame || frame.number <= seat.seen || performance.now() - frame.at > STALE_MS) return null
    seat.seen = frame.number
    return frame
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
}
