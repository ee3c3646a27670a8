type RequestId = string | number

export interface Cancellations {
  /** Registers a call under its JSON-RPC id. Its signal aborts on `cancel`, until `end`. */
  begin(autorizacaoId: number, id: RequestId): { readonly signal: AbortSignal; end(): void }
  /** Cancels the call if exactly one with this id is under way. */
  cancel(autorizacaoId: number, id: unknown): void
  /** Calls under way. */
  readonly size: number
}

/**
 * Before revision 2026-07-28, a client cancels a call with `notifications/cancelled` in a separate request. Without
 * sessions only the authorization and the id identify the call. Two programs of one authorization may use the same ids:
 * an id in use twice cancels neither call. Each replica checks its own calls.
 * Since 2026-07-28, closing the connection cancels the call, without this registry.
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
