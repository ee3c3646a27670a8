import type { Socket } from 'node:net'
import type { MediaTransport } from './transport.ts'

/** Unsent bytes above which pictures are skipped for a slow client: a few seconds of a main stream. */
const CONGESTED_BYTES = 1024 * 1024

/** RTP and RTCP inside the RTSP connection (RFC 2326 10.12). */
export function createTcpTransport(socket: Socket, channels: readonly [rtp: number, rtcp: number]): MediaTransport {
  const [rtp, rtcp] = channels
  return {
    header: `RTP/AVP/TCP;unicast;interleaved=${rtp}-${rtcp}`,
    congested: () => socket.writableLength > CONGESTED_BYTES,
    sendPackets(packets) {
      // One write per access unit, so that no RTSP answer splits a packet.
      socket.write(Buffer.concat(packets.flatMap((packet) => [frame(rtp, packet.length), packet])))
    },
    sendReport(report) {
      socket.write(Buffer.concat([frame(rtcp, report.length), report]))
    },
    sendRaw(bytes) {
      socket.write(bytes)
    },
    close() {
      // The RTSP connection closes the socket.
    },
  }
}

function frame(channel: number, length: number): Buffer {
  const header = Buffer.from([0x24, channel, 0, 0])
  header.writeUInt16BE(length, 2)
  return header
}
