import { type Pedido, PRAZO_MAXIMO_MS, type Resposta } from '@vigia/contracts/pedidos'
import { decodeAnswer } from './answer.ts'
import type { LinkLog } from './log.ts'

export interface Command {
  /** UUID, unique to this request: an edge runs an id once. */
  readonly id: string
  /** Compact JWE of a command, encrypted to that edge's key; it contains the same id. */
  readonly comando: string
}

export interface RequestOptions {
  /** Longest wait of the caller: 1 to PRAZO_MAXIMO_MS, in ms. */
  readonly prazoMs: number
  /** Ends the wait and the command on the edge. */
  readonly signal: AbortSignal
}

export type RequestOutcome =
  /** The edge's answer, success or failure; `corpo` is empty without a picture. */
  | { readonly kind: 'resposta'; readonly resposta: Resposta; readonly corpo: Buffer }
  /** The answer of the edge is unreadable. */
  | { readonly kind: 'resposta_ilegivel' }
  /** The cloud has no link, or lost it during the request. */
  | { readonly kind: 'sem_conexao' }
  /** The edge went offline: by its own message or by its last will. */
  | { readonly kind: 'edge_offline' }
  /** Too many requests to this edge are pending; nothing was sent. */
  | { readonly kind: 'ocupado' }
  | { readonly kind: 'prazo_esgotado' }
  | { readonly kind: 'cancelado' }

/** The pending requests of one cloud process. */
export interface Requests {
  /**
   * Sends a command to an edge and waits for its answer, at most until the deadline.
   * @throws RangeError when `prazoMs` is out of range or the id is pending already: a defect of the caller
   */
  request(edgeId: number, command: Command, options: RequestOptions): Promise<RequestOutcome>
  /** Handles an answer; false when it is unreadable. */
  answered(edgeId: number, payload: Buffer): boolean
  presence(edgeId: number, online: boolean): void
  /** Handles the loss of the link: ends all requests and forgets the presence of all edges. */
  disconnected(): void
}

export interface RequestsDeps {
  isConnected(): boolean
  /** Rejects when sending fails. */
  send(edgeId: number, pedido: Pedido): Promise<void>
  readonly log: LinkLog
}

interface Waiting {
  readonly edgeId: number
  end(outcome: RequestOutcome): void
}

/** Far above the number of parallel commands from the dashboards of one site. */
export const MAX_PER_EDGE = 32
/** The edge's deadline is earlier by this time, so that its answer at the deadline still arrives in time. */
const TRAVEL_MS = 1_500

export function createRequests({ isConnected, send, log }: RequestsDeps): Requests {
  const waiting = new Map<string, Waiting>()
  /** Edges that are known to be offline. */
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
      if (waiting.has(id)) throw new RangeError(`request already pending: ${id}`)
      const refused = refusal(edgeId, signal)
      if (refused !== null) return refused
      const { promise, resolve } = Promise.withResolvers<RequestOutcome>()
      waiting.set(id, { edgeId, end: resolve })
      const giveUp = (kind: 'prazo_esgotado' | 'cancelado') => {
        resolve({ kind })
        send(edgeId, { v: 1, tipo: 'cancelamento', id }).catch((err: unknown) =>
          log.debug({ err, edgeId, pedido_id: id }, 'cancellation not sent; the command ends at its own deadline'),
        )
      }
      const abort = () => giveUp('cancelado')
      const timer = setTimeout(() => giveUp('prazo_esgotado'), prazoMs)
      signal.addEventListener('abort', abort)
      // Names the request that sent the command, whose answer the edge logs with the same id.
      log.debug({ edgeId, pedido_id: id }, 'command')
      const prazo_ms = Math.ceil(Math.max(prazoMs / 2, prazoMs - TRAVEL_MS))
      send(edgeId, { v: 1, tipo: 'comando', id, prazo_ms, comando }).catch((err: unknown) => {
        log.warn({ err, edgeId, pedido_id: id }, 'command not sent')
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
      // Decoded for a pending command only: an answer may have 6 MiB.
      if (of(edgeId).length === 0) {
        log.debug({ edgeId }, 'answer without a pending request')
        return true
      }
      const answer = decodeAnswer(payload)
      const id = answer.ok ? answer.resposta.id : answer.id
      if (id === null) return false
      const asked = waiting.get(id)
      // Too late, requested by another cloud process, or from another edge.
      if (asked?.edgeId !== edgeId) log.debug({ edgeId, pedido_id: id }, 'answer without a pending request')
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
