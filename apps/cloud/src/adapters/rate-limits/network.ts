import ipaddr from 'ipaddr.js'

/** What counts as one place: an IPv4 address; the /64 of an IPv6 address, all of which one customer holds. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return parsed.toByteArray().slice(0, 8).join('.')
}
