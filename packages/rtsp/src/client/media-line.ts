import { isIPv6, type Socket } from 'node:net'
import { type Channels, readChannels } from './addresses.ts'

/** How RTP travels. `tcp`: inside the RTSP connection (RFC 2326 10.12). */
export type RtpTransport = 'tcp' | 'udp'

/** Receives one RTP or RTCP packet, `bytes[start, end)`, on its channel. */
export type OnMedia = (channel: number, bytes: Buffer, start: number, end: number) => void

/** Addresses of a session without TLS. */
export interface MediaPeer {
  readonly local: string
  readonly remote: string
}

/** The transport of the packets of one session. */
export interface MediaLine {
  readonly transport: RtpTransport
  /** Value of the Transport header of SETUP. */
  readonly wanted: string
  /** Reads the Transport header of the answer; returns the channels of the packets. */
  granted(header: string): Channels
  /** Sends an RTCP packet to the server. */
  report(packet: Buffer): void
  close(): void
}

const DOLLAR = 0x24

/** Packets inside the RTSP connection. `first`: the lower one of the requested channels. */
export function tcpLine(send: (frame: Buffer) => void, first = 0): MediaLine {
  let channels: Channels = { rtp: first, rtcp: first + 1 }
  return {
    transport: 'tcp',
    wanted: `RTP/AVP/TCP;unicast;interleaved=${first}-${first + 1}`,
    granted(header) {
      channels = readChannels(header, first)
      return channels
    },
    report(packet) {
      const head = Buffer.from([DOLLAR, channels.rtcp, packet.length >> 8, packet.length & 0xff])
      send(Buffer.concat([head, packet]))
    },
    close() {},
  }
}

/** Null: the socket is closed. */
export function mediaPeer({ localAddress, remoteAddress }: Socket): MediaPeer | null {
  if (localAddress === undefined || remoteAddress === undefined) return null
  return { local: plain(localAddress), remote: plain(remoteAddress) }
}

/** An IPv4 peer of a socket on `::` has the address `::ffff:10.0.0.9`. */
const plain = (address: string): string => (isIPv6(address) ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address)
