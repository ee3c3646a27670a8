import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import type { Lookup } from '../address-policy.ts'

const A = 1
/** RCODE of a name that does not exist (RFC 1035 4.1.1). */
const NXDOMAIN = 3

export interface DnsServer {
  /** Queries only this server. */
  readonly lookup: Lookup
  /** Queried names, in order. */
  readonly asked: readonly string[]
  close(): void
}

/** A name server on this machine that answers IPv4 queries with the result of `answer`; null: no such name. */
export async function startDnsServer(answer: (name: string) => readonly string[] | null): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  socket.on('message', (query, from) => {
    const { name, end } = readName(query)
    asked.push(name)
    const addresses = query.readUInt16BE(end) === A ? answer(name) : []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (addresses ? 0 : NXDOMAIN), 2)
    header.writeUInt16BE(addresses?.length ?? 0, 6)
    header.writeUInt32BE(0, 8)
    // Name by a pointer to the question, class IN, TTL 0 so that clients query again.
    const records = (addresses ?? []).map((address) =>
      Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), from.port, from.address)
  })
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { lookup: (name) => resolver.resolve4(name), asked, close: () => socket.close() }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}
