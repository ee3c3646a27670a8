import { VigiaError } from '@vigia/contracts/errors'
import { MAX_MINIATURAS } from '@vigia/contracts/pedidos'
import type { CloudLink } from '@vigia/link/cloud-link'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import type { AskEdge } from '../../locais/public.ts'
import { isLivePicture, TILE_PX } from './live-picture.ts'

/** A camera in the mosaic of a viewer. */
export interface MosaicCamera {
  readonly id: number
  readonly edgeId: number
  /** Longer side of its pictures in pixels. */
  readonly lado: number
}

export interface Miniatura {
  readonly cameraId: number
  readonly jpeg: Buffer
  /** Something moves in the picture. */
  readonly movimento: boolean
}

/** One open mosaic. */
export interface MosaicViewer {
  /** A picture that this viewer has not received yet, oldest first. null: none came within `waitMs`. */
  next(waitMs: number): Promise<Miniatura | null>
  leave(): void
}

/** Small pictures of all cameras in open mosaics. Each edge sends a camera once for all viewers. */
export interface Miniaturas {
  watch(cameras: readonly MosaicCamera[]): MosaicViewer
  stop(): void
}

interface MiniaturasDeps {
  readonly link: Pick<CloudLink, 'onLiveFrame' | 'watch'>
  readonly replica: Pick<Replica, 'shareRequest'>
  readonly askEdge: AskEdge
  readonly log: Logger
  /** Duration of the lease of a command to an edge, and interval of its renewals. */
  readonly leaseMs?: number
  readonly renewMs?: number
  /** Interval of the pictures of a camera at an edge that does not know the command. */
  readonly oldEdgeMs?: number
}

interface Seat {
  readonly cameras: ReadonlyMap<number, MosaicCamera>
  /** Cameras with a picture that this viewer has not received, in the order of arrival. */
  readonly fresh: Set<number>
  wake(): void
}

interface Session {
  /** Signals that the cameras of the viewers changed. */
  wake(): void
}

type Wanted = ReadonlyMap<number, number>

const EVERY_MS = 1_000
const PRAZO_MS = 8_000
const RETRY_MS = 5_000
/** Time in which changes are collected for one command: viewers scroll. */
const GATHER_MS = 250
/** Above this age a picture is not shown to a new viewer. */
const STALE_MS = 20_000

export function createMiniaturas({
  link,
  replica,
  askEdge,
  log,
  leaseMs = 30_000,
  renewMs = 10_000,
  oldEdgeMs = 10_000,
}: MiniaturasDeps): Miniaturas {
  const seats = new Set<Seat>()
  const sessions = new Map<number, Session>()
  /** The newest picture of each camera that a viewer has open. `at`: monotonic ms. */
  const latest = new Map<number, Pick<Miniatura, 'jpeg' | 'movimento'> & { readonly at: number }>()
  const stopping = new AbortController()

  function arrived(edgeId: number, { cameraId, jpeg, movimento }: Miniatura): void {
    const viewers = [...seats].filter(({ cameras }) => cameras.get(cameraId)?.edgeId === edgeId)
    if (viewers.length === 0 || !isLivePicture(jpeg, TILE_PX)) return
    latest.set(cameraId, { jpeg, movimento, at: performance.now() })
    for (const seat of viewers) {
      seat.fresh.add(cameraId)
      seat.wake()
    }
  }
  link.onLiveFrame((edgeId, { camera_id: cameraId, miniatura, movimento = false }, jpeg) => {
    if (miniatura) arrived(edgeId, { cameraId, jpeg, movimento })
  })

  /** Cameras of an edge that viewers have open, with the largest requested side. */
  function wantedOf(edgeId: number): Wanted {
    const wanted = new Map<number, number>()
    for (const { cameras } of seats)
      for (const { id, lado, edgeId: of } of cameras.values())
        if (of === edgeId) wanted.set(id, Math.max(lado, wanted.get(id) ?? 0))
    return wanted
  }

  /** Adds what the viewers of other replicas want: the edge follows the last command only. */
  async function withOthers(edgeId: number, wanted: Wanted): Promise<Wanted> {
    const own = wanted.size > 0 ? [...wanted] : null
    const others = (await replica.shareRequest(edgeId, 'miniaturas', own, leaseMs)) as (readonly [number, number])[][]
    const all = new Map(wanted)
    for (const [id, lado] of others.flat()) all.set(id, Math.max(lado, all.get(id) ?? 0))
    return all
  }

  async function pause(edgeId: number, asked: Wanted, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    let gather: NodeJS.Timeout | undefined
    const changed = () => {
      if (stopping.signal.aborted) resolve()
      else if (!same(wantedOf(edgeId), asked)) gather ??= setTimeout(resolve, GATHER_MS)
    }
    sessions.set(edgeId, { wake: changed })
    changed()
    await promise
    clearTimeout(timer)
    clearTimeout(gather)
  }

  /** An edge of an older release sends single pictures on request. */
  async function captureInTurn(edgeId: number, wanted: Wanted): Promise<void> {
    for (const [camera_id, lado_maximo] of wanted) {
      if (stopping.signal.aborted || !wantedOf(edgeId).has(camera_id)) continue
      const command = { acao: 'capturar_quadro', camera_id, lado_maximo } as const
      const answer = await askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal: stopping.signal }).catch(unavailable)
      if (answer?.ok) arrived(edgeId, { cameraId: camera_id, jpeg: answer.corpo, movimento: false })
    }
  }

  function unavailable(error: unknown): null {
    if (error instanceof VigiaError) return null
    throw error
  }

  /** One loop for each edge, so that it gets one command at a time. */
  async function serve(edgeId: number): Promise<void> {
    let isOld = false
    while (!stopping.signal.aborted) {
      const wanted = wantedOf(edgeId)
      const cameras = [...(await withOthers(edgeId, wanted))]
        .slice(0, MAX_MINIATURAS)
        .map(([camera_id, lado_maximo]) => ({ camera_id, lado_maximo }))
      const begunAt = performance.now()
      if (isOld) await captureInTurn(edgeId, wanted)
      else {
        const command = { acao: 'enviar_miniaturas', cameras, cada_ms: EVERY_MS, validade_ms: leaseMs } as const
        const answer = await askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal: stopping.signal }).catch(unavailable)
        isOld = answer?.ok === false && answer.falha === 'comando_desconhecido'
        if (isOld) continue
        if (!answer?.ok) log.debug({ edgeId, falha: answer?.falha }, 'mosaic command not done by the edge')
        if (wanted.size === 0 && wantedOf(edgeId).size === 0) return
        await pause(edgeId, wanted, answer?.ok ? renewMs : RETRY_MS)
        continue
      }
      if (wantedOf(edgeId).size === 0) return
      await pause(edgeId, wanted, Math.max(GATHER_MS, oldEdgeMs - (performance.now() - begunAt)))
    }
  }

  function open(edgeId: number): void {
    const known = sessions.get(edgeId)
    if (known) {
      known.wake()
      return
    }
    sessions.set(edgeId, { wake: () => {} })
    const unwatch = link.watch(edgeId)
    serve(edgeId)
      .catch((err: unknown) => log.error({ err, edgeId }, 'mosaic of an edge ended'))
      .finally(() => {
        unwatch()
        sessions.delete(edgeId)
        // A viewer may have come while the loop ended.
        if (!stopping.signal.aborted && wantedOf(edgeId).size > 0) open(edgeId)
      })
  }

  function forget(cameras: Iterable<number>): void {
    for (const id of cameras) if (![...seats].some((seat) => seat.cameras.has(id))) latest.delete(id)
  }

  return {
    watch(cameras) {
      const seat: Seat = { cameras: new Map(cameras.map((one) => [one.id, one])), fresh: new Set(), wake: () => {} }
      seats.add(seat)
      for (const { id } of cameras) {
        const known = latest.get(id)
        if (known && performance.now() - known.at < STALE_MS) seat.fresh.add(id)
      }
      const edges = new Set(cameras.map(({ edgeId }) => edgeId))
      for (const edgeId of edges) open(edgeId)
      const take = (): Miniatura | null => {
        for (const cameraId of seat.fresh) {
          seat.fresh.delete(cameraId)
          const picture = latest.get(cameraId)
          if (picture) return { cameraId, jpeg: picture.jpeg, movimento: picture.movimento }
        }
        return null
      }
      return {
        async next(waitMs) {
          const ready = take()
          if (ready || stopping.signal.aborted) return ready
          const { promise, resolve } = Promise.withResolvers<void>()
          const timer = setTimeout(resolve, waitMs)
          seat.wake = resolve
          await promise
          clearTimeout(timer)
          return take()
        },
        leave() {
          if (!seats.delete(seat)) return
          forget(seat.cameras.keys())
          for (const edgeId of edges) sessions.get(edgeId)?.wake()
          seat.wake()
        },
      }
    },
    stop() {
      stopping.abort()
      for (const session of sessions.values()) session.wake()
      for (const seat of seats) seat.wake()
    },
  }
}

const same = (a: Wanted, b: Wanted): boolean => a.size === b.size && [...a].every(([id, lado]) => b.get(id) === lado)
