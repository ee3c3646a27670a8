import { createSocket, type Socket } from 'node:dgram'
import type { MediaLine, MediaPeer, OnMedia } from './media-line.ts'
import { createReorder } from './reorder.ts'

/** Number of attempts to find a free even port whose successor is free, too (RFC 3550 11). */
const PAIR_ATTEMPTS = 50
/** A keyframe is a burst of hundreds of datagrams. The kernel may give less. */
const RECEIVE_BYTES = 2 * 1024 * 1024
/** An RTP packet without payload, and a receiver report without block: they open a stateful firewall of this host. */
const RTP_PUNCH = Buffer.from('800000000000000000000000', 'hex')
const RTCP_PUNCH = Buffer.from('80c9000100000000', 'hex')

/**
 * RTP and RTCP on a pair of UDP ports of this host (RFC 2326 12.39). Only datagrams from the address of the session
 * count: the `source` that a server names is ignored. Null: no pair is free.
 */
export async function openUdpLine({ local, remote }: MediaPeer, onMedia: OnMedia): Promise<MediaLine | null> {
  const pair = await bindPair(local)
  if (!pair) return null
  const { rtp, rtcp } = pair
  const ports = [rtp.address().port, rtcp.address().port] as const
  const reorder = createReorder((packet) => onMedia(0, packet, 0, packet.length))
  let reportPort: number | null = null
  let isOpen = true
  const isPeer = (address: string) => address.replace(/%.*/, '') === remote.replace(/%.*/, '')
  rtp.on('message', (packet, from) => {
    if (isPeer(from.address)) reorder.push(packet, performance.now())
  })
  rtcp.on('message', (packet, from) => {
    if (isPeer(from.address)) onMedia(1, packet, 0, packet.length)
  })
  const send = (socket: Socket, packet: Buffer, port: number) => {
    // The stall timeout reports an unreachable port.
    if (isOpen) socket.send(packet, port, remote, () => {})
  }
  return {
    transport: 'udp',
    wanted: `RTP/AVP;unicast;client_port=${ports[0]}-${ports[1]}`,
    granted(header) {
      const match = /server_port\s*=\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?/i.exec(header)
      const first = Number(match?.[1] ?? 0)
      const second = Number(match?.[2] ?? first + 1)
      if (first > 0 && second < 65_536 && first < 65_536) {
        reportPort = second
        send(rtp, RTP_PUNCH, first)
        send(rtcp, RTCP_PUNCH, second)
      }
      return { rtp: 0, rtcp: 1 }
    },
    report(packet) {
      if (reportPort !== null) send(rtcp, packet, reportPort)
    },
    close() {
      if (!isOpen) return
      isOpen = false
      rtp.close()
      rtcp.close()
    },
  }
}

async function bindPair(address: string): Promise<{ rtp: Socket; rtcp: Socket } | null> {
  for (let attempt = 0; attempt < PAIR_ATTEMPTS; attempt += 1) {
    const rtp = await bind(address, 0)
    const port = rtp?.address().port ?? 0
    const rtcp = rtp !== null && port % 2 === 0 ? await bind(address, port + 1) : null
    if (rtp && rtcp) return { rtp, rtcp }
    rtp?.close()
  }
  return null
}

/** Null: the port is occupied. */
const bind = (address: string, port: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = createSocket({ type: address.includes(':') ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BYTES })
    socket.once('error', () => {
      socket.close()
      resolve(null)
    })
    socket.bind(port, address, () => {
      socket.removeAllListeners('error')
      // An error of a bound socket is about one datagram.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
