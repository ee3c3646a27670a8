import type { FalhaPedido } from '@vigia/contracts/pedidos'
import { type AllowedCidrs, canonicalHost, type Lookup, resolveAllowed } from './address-policy.ts'

/** Leave to connect to a host; shared with all else that connects to it. */
export interface Permits {
  /** `host` as it stands in a URL. Resolves with the way to give it back; null when `signal` aborts first. */
  acquire(host: string, signal: AbortSignal): Promise<(() => void) | null>
}

export interface ProbeOptions {
  readonly allowed: AllowedCidrs
  /** Aborted: nobody waits for the answer any more (`cancelado`). */
  readonly signal: AbortSignal
  /** Time for all of it, ms; what has not answered by then counts as silent. Default 30 s. */
  readonly prazoMs?: number
  readonly permits?: Permits
  readonly lookup?: Lookup
}

export type Failed = { readonly ok: false; readonly falha: FalhaPedido }

const DEFAULT_MS = 30_000
/** Of a name that has more, the others are not tried. */
const MAX_ADDRESSES = 4

/** A host that has been resolved and checked, once. */
export interface Contact {
  /** Canonical. */
  readonly host: string
  /** The checked addresses: all that is connected to from here on. Once one has taken a connection, it alone. */
  reach(): { readonly addresses: readonly string[]; onReached(address: string): void }
  /** Also aborts at the end of the time. */
  readonly signal: AbortSignal
  readonly prazoMs: number
  readonly permits: Permits | undefined
}

/** Resolves and checks the host, and has `run` talk to it for as long as there is time. */
export async function withContact<T extends { readonly ok: boolean }>(
  typed: string,
  { allowed, lookup, permits, signal: caller, prazoMs = DEFAULT_MS }: ProbeOptions,
  run: (contact: Contact) => Promise<T>,
): Promise<T | Failed> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(prazoMs)])
  const aborted = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
  // A resolver cannot be interrupted; only its answer can be left.
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

/** Runs `run` with leave to connect to the host of `url`. */
export async function permitted<T>(
  url: string,
  permits: Permits | undefined,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T | { readonly kind: 'aborted' }> {
  if (signal.aborted) return { kind: 'aborted' }
  // The host in the form by which those who play streams count it.
  const release = permits ? await permits.acquire(URL.parse(url)?.hostname ?? '', signal) : () => {}
  if (!release) return { kind: 'aborted' }
  try {
    return await run()
  } finally {
    release()
  }
}
