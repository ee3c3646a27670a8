import { isIPv6 } from 'node:net'

/** The subscriber behind an address: IPv4 as it is, IPv6 by its /64, of which one subscriber has 2^64 addresses. */
export function sourceOf(address: string): string {
  // IPv4 as a socket for both families shows it.
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length)
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  if (tail === undefined) return [...head].slice(0, 4).join(':')
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].slice(0, 4).join(':')
}
