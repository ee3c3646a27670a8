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

interface Seat {
  readonly cameras: ReadonlyMap<number, MosaicCamera>
  /** Cameras with a picture that this viewer has not received, in the order of arrival. */
  readonly fresh: Set<number>
  wake(): void
}

/** Cameras with the longer side of their pictures in pixels. */
export type Wanted = ReadonlyMap<number, number>

/** Above this age a picture is not shown to a new viewer. */
const STALE_MS = 20_000

/** The viewers of mosaics, and the newest picture of each camera for them. */
export function createMosaicSeats(stopping: AbortSignal) {
  const seats = new Set<Seat>()
  /** The newest picture of each camera that a viewer has open. `at`: monotonic ms. */
  const latest = new Map<number, Pick<Miniatura, 'jpeg' | 'movimento'> & { readonly at: number }>()

  function forget(cameras: Iterable<number>): void {
    for (const id of cameras) if (![...seats].some((seat) => seat.cameras.has(id))) latest.delete(id)
  }

  return {
    arrived(edgeId: number, { cameraId, jpeg, movimento }: Miniatura): void {
      const viewers = [...seats].filter(({ cameras }) => cameras.get(cameraId)?.edgeId === edgeId)
      if (viewers.length === 0 || !isLivePicture(jpeg, TILE_PX)) return
      latest.set(cameraId, { jpeg, movimento, at: performance.now() })
      for (const seat of viewers) {
        seat.fresh.add(cameraId)
        seat.wake()
      }
    },
    /** Cameras of an edge that viewers have open, with the largest requested side. */
    wantedOf(edgeId: number): Wanted {
      const wanted = new Map<number, number>()
      for (const { cameras } of seats)
        for (const { id, lado, edgeId: of } of cameras.values())
          if (of === edgeId) wanted.set(id, Math.max(lado, wanted.get(id) ?? 0))
      return wanted
    },
    /** @param left called with the edges of a viewer that leaves */
    enter(cameras: readonly MosaicCamera[], left: (edgeIds: Iterable<number>) => void): MosaicViewer {
      const seat: Seat = { cameras: new Map(cameras.map((one) => [one.id, one])), fresh: new Set(), wake: () => {} }
      seats.add(seat)
      for (const { id } of cameras) {
        const known = latest.get(id)
        if (known && performance.now() - known.at < STALE_MS) seat.fresh.add(id)
      }
      const edges = new Set(cameras.map(({ edgeId }) => edgeId))
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
          if (ready || stopping.aborted) return ready
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
          left(edges)
          seat.wake()
        },
      }
    },
    wakeAll() {
      for (const seat of seats) seat.wake()
    },
  }
}
