import { type AllowedCidrs, type Lookup, resolveAllowed } from '@vigia/rtsp/address-policy'
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
  const permitted = resolved.addresses.every((text) => {
    const address = ipaddr.parse(text)
    return (
      isPublic(address) ||
      allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
    )
  })
  return permitted ? resolved : { ok: false, falha: 'endereco_recusado' }
}

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(globalUnicast))
