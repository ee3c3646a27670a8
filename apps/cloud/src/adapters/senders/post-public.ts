import { isIPv6, type LookupFunction } from 'node:net'
import type { AllowedCidrs, Lookup } from '@vigia/rtsp/address-policy'
import { beforeAbort } from './before-abort.ts'
import { connectionFailure, errorCode, gaveUp } from './connection-failure.ts'
import { exchange, type Post } from './exchange.ts'
import { DELIVERY_MS } from './interface.ts'
import { refusals, resolvePublic } from './public-address.ts'

export interface PublicPostDeps {
  /** Allowed networks that are not public (VIGIA_WEBHOOK_PERMITIR). */
  readonly allowed: AllowedCidrs
  readonly timeoutMs?: number
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup
}

type Answered =
  | { readonly status: number; readonly waitMs: number | undefined; readonly text: string }
  | { readonly erro: string; readonly recusado?: true }

/**
 * Sends to an address that a person, a browser or a program gave: only to public addresses, and without following
 * redirects.
 * @returns the HTTP status with the pause that the answer asks for and the first bytes of its body, or a Portuguese
 * sentence without the address. `recusado`: nothing was sent, because the Empresa may not reach the address.
 */
export async function sendPublic(
  { allowed, timeoutMs = DELIVERY_MS, lookup }: PublicPostDeps,
  message: Post,
  signal: AbortSignal,
): Promise<Answered> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const resolved = await beforeAbort(resolvePublic(message.url.hostname, allowed, lookup), deadline)
    if (!resolved.ok) {
      const recusado = resolved.falha === 'endereco_recusado'
      return { erro: refusals[resolved.falha], ...(recusado && { recusado }) }
    }
    return await exchange(message, deadline, lookupOf(resolved.addresses))
  } catch (error) {
    if (deadline.aborted) return { erro: gaveUp(signal, timeoutMs) }
    const code = errorCode(error)
    if (code === null) throw error
    return { erro: connectionFailure(code) }
  }
}

/** Resolves every name to `addresses`; Host and TLS keep the host name of the URL. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const resolved = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, options, done) => {
    if (options.all) done(null, resolved)
    else done(null, resolved[0]?.address ?? '', resolved[0]?.family)
  }
}
