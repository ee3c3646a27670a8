import { type AllowedCidrs, judgeHost, type Lookup, resolveAllowed } from '@vigia/rtsp/address-policy'
import ipaddr from 'ipaddr.js'

/** RFC 4291 2.4, IANA: the only IPv6 addresses that are given out for the public Internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Resolves the host of a URL, once, for a request whose address any customer may choose: every address has to be public
 * (no private, loopback, link-local, carrier-grade NAT, multicast, documentation or otherwise reserved one, nor an IPv6
 * address that carries an IPv4 address), or be in `allowed`. The connection is to be made to what is returned and never to
 * the name again, whose next answer may be another one.
 */
export async function resolvePublic(
  host: string,
  allowed: AllowedCidrs,
  look?: Lookup,
): ReturnType<typeof resolveAllowed> {
  const resolved = await resolveAllowed(host, allowed, look)
  if (!resolved.ok) return resolved
  const permitted = resolved.addresses.every((text) => isPermitted(text, allowed))
  return permitted ? resolved : { ok: false, falha: 'endereco_recusado' }
}

/**
 * Names that have no public address: mDNS (RFC 6762), private use (ICANN board resolution 2024.07.29.06), home networks
 * (RFC 8375). The metadata services of clouds are below `internal` too.
 */
const privateZones = /(^|\.)(local|internal|home\.arpa)$/

/**
 * Whether no delivery to `host` can ever be allowed, judged without a look-up: an address that `resolvePublic` refuses, a
 * name of this machine, or a name of a private network while no network is permitted. Any other name is judged when it is
 * resolved.
 */
export function isNeverPublic(host: string, allowed: AllowedCidrs): boolean {
  const verdict = judgeHost(host, allowed)
  if (verdict.kind === 'recusado') return true
  if (verdict.kind === 'endereco') return !isPermitted(verdict.address, allowed)
  return allowed.length === 0 && privateZones.test(verdict.name)
}

function isPermitted(text: string, allowed: AllowedCidrs): boolean {
  const address = ipaddr.parse(text)
  return (
    isPublic(address) ||
    allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  )
}

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(globalUnicast))
