type RequestId = string | number

export interface Cancellations {
  /** Aborts the signal of a call that can be cancelled by its JSON-RPC id, until `end`. */
  begin(autorizacaoId: number, id: RequestId): { readonly signal: AbortSignal; end(): void }
  /** Cancels the call, if exactly one is under way by that id. */
  cancel(autorizacaoId: number, id: unknown): void
  /** Calls under way. */
  readonly size: number
}

/**
 * Cancelling in the revisions of the protocol before 2026-07-28 is a message of its own (`notifications/cancelled`), in
 * another request than the call, and without sessions nothing joins the two but who sends them and the id. Two programs
 * of one authorization may count alike: an id that is in use twice cancels neither. What runs in another replica is not
 * found and runs to its end: the protocol asks for no more than an attempt. From 2026-07-28 on a call is cancelled by
 * closing its connection, which needs none of this.
 */
export function createCancellations(): Cancellations {
  const running = new Map<string, Set<AbortController>>()
  const keyOf = (autorizacaoId: number, id: RequestId) => JSON.stringify([autorizacaoId, id])
  return {
    begin(autorizacaoId, id) {
      const key = keyOf(autorizacaoId, id)
      const controller = new AbortController()
      const calls = running.get(key) ?? new Set()
      running.set(key, calls.add(controller))
      return {
        signal: controller.signal,
        end: () => {
          calls.delete(controller)
          if (calls.size === 0) running.delete(key)
        },
      }
    },
    cancel(autorizacaoId, id) {
      if (typeof id !== 'string' && typeof id !== 'number') return
      const calls = running.get(keyOf(autorizacaoId, id))
      if (calls?.size === 1) for (const controller of calls) controller.abort()
    },
    get size() {
      return running.size
    },
  }
}
