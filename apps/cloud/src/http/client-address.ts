import { type BlockList, isIP } from 'node:net'

/** Address and scheme of the client of a request. */
export interface ClientAddress {
  readonly remoteAddress: string
  readonly https: boolean
}

/** Canonical form: IPv4 inside IPv6 (`::ffff:192.0.2.1`) becomes IPv4; zone index, brackets and port are dropped. */
function plainAddress(address: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  const withoutZone = bare.split('%')[0] ?? ''
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1] ?? withoutZone
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const version = isIP(address)
  return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Address and scheme of the client. X-Forwarded-For and X-Forwarded-Proto count only when the peer is a trusted proxy.
 * They are read from the right: the client itself can write everything left of the first untrusted address.
 */
export function clientAddress(
  peer: string,
  encrypted: boolean,
  header: (name: string) => string | undefined,
  trusted: BlockList,
): ClientAddress {
  const plainPeer = plainAddress(peer)
  if (!isTrusted(plainPeer, trusted)) return { remoteAddress: plainPeer, https: encrypted }
  const hops = (header('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => plainAddress(hop.trim()))
    .reverse()
  let remoteAddress = plainPeer
  for (const hop of hops) {
    if (isIP(hop) === 0) break
    remoteAddress = hop
    if (!isTrusted(hop, trusted)) break
  }
  const proto = (header('x-forwarded-proto') ?? '').split(',').at(-1)?.trim().toLowerCase()
  return { remoteAddress, https: encrypted || proto === 'https' }
}

/**
 * Host name of the request, lower case, without port and final dot; '': the header is missing or invalid. Only the Host
 * header counts, and a proxy must forward it unchanged. X-Forwarded-Host is ignored, because a client can set it.
 */
export function requestHost(header: (name: string) => string | undefined): string {
  const host = (header('host') ?? '').trim().toLowerCase()
  return /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d*)?$/.exec(host)?.[1] ?? ''
}
