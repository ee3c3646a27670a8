import { randomBytes } from 'node:crypto'
import type { Quirk } from '../quirks.ts'
import { packetize } from './packetize.ts'
import type { RtpStream } from './rtp-stream.ts'
import type { MediaTransport } from './transport.ts'

/** Packet fault of a playback. */
export type SendingQuirk = Pick<Quirk, 'defeito' | 'quadros'>

/** With the IP, UDP and RTP headers a packet stays below the 1500 bytes of Ethernet. */
const MAX_PAYLOAD = 1400
const SMALL_PAYLOAD = 100
/** Largest payload of an interleaved frame without the RTP header. */
const LARGE_PAYLOAD = 65_535 - 12
const HOUR_TICKS = 3600 * 90_000

/** One access unit before packetization. */
interface Outgoing {
  readonly codec: 'h264' | 'h265'
  readonly nals: readonly Buffer[]
  readonly timestamp: number
  /** Number of units sent before this one. */
  readonly number: number
  readonly quirk: SendingQuirk | null
}

/** Builds the RTP packets of one access unit and applies the quirk. */
export function packetsOf(stream: RtpStream, { codec, nals, timestamp, number, quirk }: Outgoing): Buffer[] {
  const defeito = quirk?.defeito
  const maxPayload =
    defeito === 'pacotes_pequenos' ? SMALL_PAYLOAD : defeito === 'pacotes_grandes' ? LARGE_PAYLOAD : MAX_PAYLOAD
  const payloads = packetize(codec, defeito === 'macro' ? [withStartCodes(nals)] : nals, maxPayload)
  const marked = defeito === 'sem_marca' ? 'none' : defeito === 'marca_em_tudo' ? 'all' : 'last'
  const packets = stream.packets(defeito === 'lixo' ? payloads.map(noise) : payloads, timestamp, marked)
  if (defeito === 'sem_sequencia') for (const packet of packets) packet.writeUInt16BE(0, 2)
  const loses = defeito === 'perde_pacotes' && number > 0 && number % Math.max(1, quirk?.quadros ?? 1) === 0
  if (defeito === 'fora_de_ordem') return disordered(packets)
  return loses ? packets.slice(0, -1) : packets
}

function disordered(packets: readonly Buffer[]): Buffer[] {
  const order = packets.map((packet, index) => packets[index % 2 === 0 ? index + 1 : index - 1] ?? packet)
  return order.flatMap((packet, index) => (index % 3 === 2 ? [packet, packet] : [packet]))
}

/** Returns the offset in RTP ticks of unit `number`. */
export function timeOffset(quirk: SendingQuirk | null, number: number): number {
  if (quirk?.defeito !== 'salto_de_tempo') return 0
  return number >= quirk.quadros && number < 2 * quirk.quadros ? HOUR_TICKS : 0
}

/** An application-defined packet (RFC 3550 6.7), and a packet of an undefined type. */
const ODD_REPORTS = [Buffer.from('80cc000200000001566967694f4b4f4b', 'hex'), Buffer.from('80d3000100000001', 'hex')]

/** Sends each packet separately, with RTCP between the packets: a sender report, then other types. */
export function sendWithReports(transport: MediaTransport, packets: readonly Buffer[], report: () => Buffer): void {
  for (const packet of packets) {
    transport.sendReport(report())
    transport.sendPackets([packet])
    for (const odd of ODD_REPORTS) transport.sendReport(odd)
  }
}

const START_CODE = Buffer.from([0, 0, 0, 1])
const withStartCodes = (nals: readonly Buffer[]): Buffer =>
  Buffer.concat(nals.flatMap((nal, index) => (index === 0 ? [nal] : [START_CODE, nal])))
const noise = (payload: Buffer): Buffer => randomBytes(payload.length)
