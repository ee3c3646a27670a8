import { isIPv6 } from 'node:net'

/** The network subscriber of an address: IPv4 unchanged, IPv6 by its /64, because one subscriber has a whole /64. */
export function sourceOf(address: string): string {
  // IPv4-mapped form of a dual-stack socket.
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length)
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  if (tail === undefined) return [...head].slice(0, 4).join(':')
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].slice(0, 4).join(':')
}
