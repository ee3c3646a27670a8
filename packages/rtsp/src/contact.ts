import type { FalhaPedido } from '@vigia/contracts/pedidos'
import { type AllowedCidrs, canonicalHost, type Lookup, resolveAllowed } from './address-policy.ts'

/** Permits to connect to a host, shared with all other connections to it. */
export interface Permits {
  /**
   * Resolves with a function that releases the permit. Null when `signal` aborts first, or for a stream of a host
   * without a free connection.
   */
  acquire(url: string, signal: AbortSignal): Promise<(() => void) | null>
}

/** `full`: the host has no free connection, so that nothing was asked. */
export type NotPermitted = { readonly kind: 'aborted' } | { readonly kind: 'full' }

export interface ProbeOptions {
  readonly allowed: AllowedCidrs
  /** Aborted when the answer is no longer needed (`cancelado`). */
  readonly signal: AbortSignal
  /** Time limit of the whole probe; channels without an answer by then count as silent. Default 30 s. */
  readonly prazoMs?: number
  readonly permits?: Permits
  readonly lookup?: Lookup
}

export type Failed = { readonly ok: false; readonly falha: FalhaPedido }

const DEFAULT_MS = 30_000
/** Largest number of addresses tried per name. */
const MAX_ADDRESSES = 4

/** A host whose addresses are resolved and checked once. */
export interface Contact {
  /** Canonical. */
  readonly host: string
  /**
   * The checked addresses; all later connections use only these. After the first connection: only the address that
   * accepted it.
   */
  reach(): { readonly addresses: readonly string[]; onReached(address: string): void }
  /** Also aborts at the time limit. */
  readonly signal: AbortSignal
  readonly prazoMs: number
  readonly permits: Permits | undefined
}

/** Resolves and checks the host, then calls `run` with it under the time limit. */
export async function withContact<T extends { readonly ok: boolean }>(
  typed: string,
  { allowed, lookup, permits, signal: caller, prazoMs = DEFAULT_MS }: ProbeOptions,
  run: (contact: Contact) => Promise<T>,
): Promise<T | Failed> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(prazoMs)])
  const aborted = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
  // A resolver cannot be interrupted; its late answer is ignored.
  const resolved = caller.aborted ? null : await Promise.race([resolveAllowed(typed, allowed, lookup), aborted])
  if (caller.aborted) return { ok: false, falha: 'cancelado' }
  if (!resolved) return { ok: false, falha: 'nome_nao_resolvido' }
  if (!resolved.ok) return resolved
  let addresses = resolved.addresses.slice(0, MAX_ADDRESSES)
  const onReached = (address: string) => {
    addresses = [address]
  }
  const reach = () => ({ addresses, onReached })
  const result = await run({ host: canonicalHost(typed), reach, signal, prazoMs, permits })
  return caller.aborted ? { ok: false, falha: 'cancelado' } : result
}

/** Calls `run` while holding a permit for the host of `url`. */
export async function permitted<T>(
  url: string,
  permits: Permits | undefined,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T | NotPermitted> {
  if (signal.aborted) return { kind: 'aborted' }
  const release = permits ? await permits.acquire(url, signal) : () => {}
  if (!release) return { kind: signal.aborted ? 'aborted' : 'full' }
  try {
    return await run()
  } finally {
    release()
  }
}
