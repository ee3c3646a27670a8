import { createSocket, type Socket } from 'node:dgram'
import type { MediaTransport } from './transport.ts'

/** Bytes waiting in a socket's own queue beyond which pictures are left out. */
const CONGESTED_BYTES = 1024 * 1024
/** Tries at finding an even port whose neighbour is free as well (RFC 3550 11). */
const PAIR_ATTEMPTS = 50

export interface UdpTransportOptions {
  /** The server's own address, as the client reached it. */
  readonly localAddress: string
  /** The address that the RTSP connection comes from: packets go nowhere else, whatever the client asks for. */
  readonly clientAddress: string
  readonly clientPorts: readonly [rtp: number, rtcp: number]
  /** A receiver report came: the client lives. */
  readonly onReport: () => void
}

/** RTP and RTCP on a pair of UDP ports of their own. Null when no pair is free. */
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
    // A port that nobody listens on any more is the client's affair: the session ends by its time-out.
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

/** Null when the port is taken. */
const bind = (address: string, port: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', () => {
      socket.close()
      resolve(null)
    })
    socket.bind(port, address, () => {
      socket.removeAllListeners('error')
      // Errors of single datagrams (an ICMP "unreachable" among them) are told to `send`; nothing else can come here.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
