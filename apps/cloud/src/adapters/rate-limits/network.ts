import ipaddr from 'ipaddr.js'

/** Network of an address: the IPv4 address itself, or the /64 of an IPv6 address, which belongs to one customer. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return parsed.toByteArray().slice(0, 8).join('.')
}
