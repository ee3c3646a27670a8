import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import type { StreamFailure, StreamOrder } from '../capture/stream-order.ts'
import type { CaptureChild } from './child.ts'

/** Reader of a live stream. */
export interface StreamTarget {
  onRecord(registro: RegistroTransmissao): void
  /** The stream ended by itself; `interrompida`: its process ended. */
  onEnded(falha: StreamFailure | 'interrompida'): void
}

/** Live streams that capture processes send. */
export interface StreamOrders {
  /** Returns a function that ends the stream. */
  start(child: CaptureChild | undefined, order: StreamOrder, target: StreamTarget): () => void
  record(id: string, registro: RegistroTransmissao): void
  ended(id: string, falha: StreamFailure): void
  gone(child: CaptureChild): void
}

export function createStreamOrders(): StreamOrders {
  const running = new Map<string, { readonly child: CaptureChild; readonly target: StreamTarget }>()

  const end = (id: string, falha: Parameters<StreamTarget['onEnded']>[0]) => {
    const { target } = running.get(id) ?? {}
    running.delete(id)
    target?.onEnded(falha)
  }

  return {
    start(child, order, target) {
      if (!child) {
        target.onEnded('interrompida')
        return () => {}
      }
      running.set(order.id, { child, target })
      child.send({ kind: 'stream', order })
      return () => {
        if (running.delete(order.id)) child.send({ kind: 'endStream', id: order.id })
      }
    },
    record: (id, registro) => running.get(id)?.target.onRecord(registro),
    ended: end,
    gone(child) {
      for (const [id, one] of running) if (one.child === child) end(id, 'interrompida')
    },
  }
}
