import type { Causa } from '@vigia/contracts/causa'
import type { Fluxo, RegistroTransmissao } from '@vigia/contracts/transmissao'
import type { StreamFailure, StreamOrder } from '../capture/stream-order.ts'
import type { CaptureChild } from './child.ts'

/** Reader of a live stream. */
export interface StreamTarget {
  onRecord(registro: RegistroTransmissao): void
  /** The stream ended by itself; `interrompida`: its process ended. */
  onEnded(falha: StreamFailure | 'interrompida', causa?: Causa): void
}

/** Live streams that capture processes send. */
export interface StreamOrders {
  /** Returns a function that ends the stream. */
  start(child: CaptureChild | undefined, order: StreamOrder, target: StreamTarget): () => void
  record(id: string, registro: RegistroTransmissao): void
  ended(id: string, falha: StreamFailure, causa?: Causa): void
  gone(child: CaptureChild): void
  /** Streams of a camera of which pictures arrive without a keyframe, and since when. */
  waiting(cameraId: number): { readonly fluxo: Fluxo; readonly ms: number }[]
}

interface Running {
  readonly child: CaptureChild
  readonly order: StreamOrder
  readonly target: StreamTarget
  /** Monotonic time of its last part, or else of its start. */
  partAt: number
  /** Number of `lacuna` since then. */
  gaps: number
  /** Number of them without a wait: one comes before an ordinary continuation. */
  usualGaps: 0 | 1
}

export function createStreamOrders(now = () => performance.now()): StreamOrders {
  const running = new Map<string, Running>()

  const end = (id: string, ...reason: Parameters<StreamTarget['onEnded']>) => {
    const { target } = running.get(id) ?? {}
    running.delete(id)
    target?.onEnded(...reason)
  }

  return {
    start(child, order, target) {
      if (!child) {
        target.onEnded('interrompida')
        return () => {}
      }
      running.set(order.id, { child, order, target, partAt: now(), gaps: 0, usualGaps: 0 })
      child.send({ kind: 'stream', order })
      return () => {
        if (running.delete(order.id)) child.send({ kind: 'endStream', id: order.id })
      }
    },
    record(id, registro) {
      const stream = running.get(id)
      if (!stream) return
      if (registro.tipo === 'parte') Object.assign(stream, { partAt: now(), gaps: 0, usualGaps: 1 })
      else if (registro.tipo === 'lacuna') stream.gaps++
      stream.target.onRecord(registro)
    },
    ended: end,
    gone(child) {
      for (const [id, one] of running) if (one.child === child) end(id, 'interrompida')
    },
    waiting: (cameraId) =>
      [...running.values()].flatMap(({ order, partAt, gaps, usualGaps }) =>
        order.cameraId === cameraId && gaps > usualGaps ? [{ fluxo: order.fluxo, ms: now() - partAt }] : [],
      ),
  }
}
