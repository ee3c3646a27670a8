import { type Pedido, PRAZO_MAXIMO_MS, type Resposta } from '@vigia/contracts/pedidos'
import { decodeAnswer } from './answer.ts'
import type { LinkLog } from './log.ts'

export interface Command {
  /** UUID, made for this request alone: an edge does an id once. */
  readonly id: string
  /** Compact JWE of a command, to the key of that edge; it holds the same id. */
  readonly comando: string
}

export interface RequestOptions {
  /** Time until the caller does not wait any longer, ms, 1…PRAZO_MAXIMO_MS. */
  readonly prazoMs: number
  /** Ends the wait, and the work on the edge. */
  readonly signal: AbortSignal
}

export type RequestOutcome =
  /** What the edge answered, also a failure; `corpo` is empty when the answer has no picture. */
  | { readonly kind: 'resposta'; readonly resposta: Resposta; readonly corpo: Buffer }
  /** The edge answered, and nobody can read it. */
  | { readonly kind: 'resposta_ilegivel' }
  /** The cloud has no link, or lost it in the meantime. */
  | { readonly kind: 'sem_conexao' }
  /** The edge said goodbye, or the broker said it for it. */
  | { readonly kind: 'edge_offline' }
  /** Too many requests to this edge are under way; nothing was sent. */
  | { readonly kind: 'ocupado' }
  | { readonly kind: 'prazo_esgotado' }
  | { readonly kind: 'cancelado' }

/** The requests of one cloud process that are under way. */
export interface Requests {
  /**
   * Asks an edge and waits for its answer, never beyond the deadline.
   * @throws RangeError when `prazoMs` is out of range or the id is under way already: a defect of the caller
   */
  request(edgeId: number, command: Command, options: RequestOptions): Promise<RequestOutcome>
  /** An answer came; false when it is unreadable. */
  answered(edgeId: number, payload: Buffer): boolean
  presence(edgeId: number, online: boolean): void
  /** The link is lost: nobody will be answered, and what was known of who is there is out of date. */
  disconnected(): void
}

export interface RequestsDeps {
  isConnected(): boolean
  /** Rejects when it can not be sent. */
  send(edgeId: number, pedido: Pedido): Promise<void>
  readonly log: LinkLog
}

interface Waiting {
  readonly edgeId: number
  end(outcome: RequestOutcome): void
}

/** Far above what a person at a dashboard asks of one box at once. */
const MAX_PER_EDGE = 32
/** The edge is given this much less time: what it says at its own deadline has to arrive before the cloud's, ms. */
const TRAVEL_MS = 1_500

export function createRequests({ isConnected, send, log }: RequestsDeps): Requests {
  const waiting = new Map<string, Waiting>()
  /** Those that are known to be offline; of the others nothing is known until they do not answer. */
  const away = new Set<number>()

  const of = (edgeId: number) => [...waiting.values()].filter((one) => one.edgeId === edgeId)

  function refusal(edgeId: number, signal: AbortSignal): RequestOutcome | null {
    if (signal.aborted) return { kind: 'cancelado' }
    if (!isConnected()) return { kind: 'sem_conexao' }
    if (away.has(edgeId)) return { kind: 'edge_offline' }
    return of(edgeId).length >= MAX_PER_EDGE ? { kind: 'ocupado' } : null
  }

  return {
    request: async (edgeId, { id, comando }, { prazoMs, signal }) => {
      if (!Number.isInteger(prazoMs) || prazoMs < 1 || prazoMs > PRAZO_MAXIMO_MS) {
        throw new RangeError(`deadline out of range: ${prazoMs}`)
      }
      if (waiting.has(id)) throw new RangeError(`request under way: ${id}`)
      const refused = refusal(edgeId, signal)
      if (refused !== null) return refused
      const { promise, resolve } = Promise.withResolvers<RequestOutcome>()
      waiting.set(id, { edgeId, end: resolve })
      const giveUp = (kind: 'prazo_esgotado' | 'cancelado') => {
        resolve({ kind })
        send(edgeId, { v: 1, tipo: 'cancelamento', id }).catch((err: unknown) =>
          log.debug({ err, edgeId, id }, 'cancellation not sent; the command ends at its own deadline'),
        )
      }
      const abort = () => giveUp('cancelado')
      const timer = setTimeout(() => giveUp('prazo_esgotado'), prazoMs)
      signal.addEventListener('abort', abort)
      const prazo_ms = Math.ceil(Math.max(prazoMs / 2, prazoMs - TRAVEL_MS))
      send(edgeId, { v: 1, tipo: 'comando', id, prazo_ms, comando }).catch((err: unknown) => {
        log.warn({ err, edgeId, id }, 'command not sent')
        resolve({ kind: 'sem_conexao' })
      })
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        waiting.delete(id)
      }
    },

    answered: (edgeId, payload) => {
      const answer = decodeAnswer(payload)
      const id = answer.ok ? answer.resposta.id : answer.id
      if (id === null) return false
      const asked = waiting.get(id)
      // Late, asked by another process of the cloud, or of an edge that was not asked.
      if (asked?.edgeId !== edgeId) log.debug({ edgeId, id }, 'answer that nobody here waits for')
      else if (answer.ok) asked.end({ kind: 'resposta', resposta: answer.resposta, corpo: answer.corpo })
      else asked.end({ kind: 'resposta_ilegivel' })
      return true
    },

    presence: (edgeId, online) => {
      if (online) away.delete(edgeId)
      else away.add(edgeId)
      if (!online) for (const one of of(edgeId)) one.end({ kind: 'edge_offline' })
    },

    disconnected: () => {
      away.clear()
      for (const one of waiting.values()) one.end({ kind: 'sem_conexao' })
    },
  }
}
