import type { Causa } from '@vigia/contracts/causa'
import type { ChamadaOnvif } from '@vigia/contracts/chamada-onvif'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import { type AllowedCidrs, canonicalHost, type Lookup, resolveAllowed } from './address-policy.ts'

/** Slots to connect to a host, shared with all other connections to it. */
export interface ContactSlots {
  /**
   * Resolves with a function that releases the slot. Null when `signal` aborts first, or for a stream of a host
   * without a free connection.
   */
  acquire(url: string, signal: AbortSignal): Promise<(() => void) | null>
}

/** `full`: the host has no free connection, so that nothing was asked. */
export type NoSlot = { readonly kind: 'aborted' } | { readonly kind: 'full' }

export interface ProbeOptions {
  readonly allowed: AllowedCidrs
  /** Aborted when the answer is no longer needed (`cancelado`). */
  readonly signal: AbortSignal
  /** Time limit of the whole probe; channels without an answer by then count as silent. Default 30 s. */
  readonly prazoMs?: number
  readonly slots?: ContactSlots
  readonly lookup?: Lookup
}

/**
 * `porta`: the port of RTSP that an ONVIF device reports, and that did not answer. `onvif`: the call that failed.
 * `causa`: with `inalcancavel`, whether the device, the port or its answer is missing.
 */
export interface Failed {
  readonly ok: false
  readonly falha: FalhaPedido
  readonly porta?: number
  readonly onvif?: ChamadaOnvif
  readonly causa?: Causa
}

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
  readonly slots: ContactSlots | undefined
}

/** Resolves and checks the host, then calls `run` with it under the time limit. */
export async function withContact<T extends { readonly ok: boolean }>(
  typed: string,
  { allowed, lookup, slots, signal: caller, prazoMs = DEFAULT_MS }: ProbeOptions,
  run: (contact: Contact) => Promise<T>,
): Promise<T | Failed> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(Math.ceil(prazoMs))])
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
  const result = await run({ host: canonicalHost(typed), reach, signal, prazoMs, slots })
  return caller.aborted ? { ok: false, falha: 'cancelado' } : result
}

/** Calls `run` while holding a slot for the host of `url`. */
export async function withSlot<T>(
  url: string,
  slots: ContactSlots | undefined,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T | NoSlot> {
  if (signal.aborted) return { kind: 'aborted' }
  const release = slots ? await slots.acquire(url, signal) : () => {}
  if (!release) return { kind: signal.aborted ? 'aborted' : 'full' }
  try {
    return await run()
  } finally {
    release()
  }
}
