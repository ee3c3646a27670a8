import { createSocket, type Socket } from 'node:dgram'
import type { MediaTransport } from './transport.ts'

/** Bytes in a socket's queue above which pictures are skipped. */
const CONGESTED_BYTES = 1024 * 1024
/** Number of attempts to find a free even port whose successor is free, too (RFC 3550 11). */
const PAIR_ATTEMPTS = 50

export interface UdpTransportOptions {
  /** Server address that the client connected to. */
  readonly localAddress: string
  /** The client address of the RTSP connection: packets go only there, regardless of the request. */
  readonly clientAddress: string
  readonly clientPorts: readonly [rtp: number, rtcp: number]
  /** Called for each receiver report, which extends the session. */
  readonly onReport: () => void
}

/** RTP and RTCP on a separate pair of UDP ports. Returns null when no pair is free. */
export async function createUdpTransport(options: UdpTransportOptions): Promise<MediaTransport | null> {
  const { localAddress, clientAddress } = options
  const [rtpPort, rtcpPort] = options.clientPorts
  const pair = await bindPair(localAddress)
  if (!pair) return null
  const { rtp, rtcp } = pair
  let open = true
  rtcp.on('message', (_message, from) => {
    if (from.address === clientAddress) options.onReport()
  })
  const send = (socket: Socket, packet: Buffer, port: number) => {
    // A closed client port is ignored: the session ends by its timeout.
    if (open) socket.send(packet, port, clientAddress, () => undefined)
  }
  return {
    header: `RTP/AVP;unicast;client_port=${rtpPort}-${rtcpPort};server_port=${rtp.address().port}-${rtcp.address().port}`,
    congested: () => open && rtp.getSendQueueSize() > CONGESTED_BYTES,
    sendPackets: (packets) => {
      for (const packet of packets) send(rtp, packet, rtpPort)
    },
    sendReport: (report) => send(rtcp, report, rtcpPort),
    sendRaw: (bytes) => send(rtp, bytes, rtpPort),
    close() {
      if (!open) return
      open = false
      rtp.close()
      rtcp.close()
    },
  }
}

async function bindPair(address: string): Promise<{ rtp: Socket; rtcp: Socket } | null> {
  for (let attempt = 0; attempt < PAIR_ATTEMPTS; attempt++) {
    const rtp = await bind(address, 0)
    const port = rtp?.address().port ?? 0
    const rtcp = port % 2 === 0 ? await bind(address, port + 1) : null
    if (rtp && rtcp) return { rtp, rtcp }
    rtp?.close()
    rtcp?.close()
  }
  return null
}

/** Returns null when the port is occupied. */
const bind = (address: string, port: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', () => {
      socket.close()
      resolve(null)
    })
    socket.bind(port, address, () => {
      socket.removeAllListeners('error')
      // The callback of `send` reports the errors of datagrams, including ICMP "unreachable"; `error` events need no
      // handling.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
