import type { RateLimits } from './rates.ts'
import type { ShareLimits } from './shares.ts'
import type { EdgeTopicName } from './topics.ts'

/** Largest MQTT packet. An external broker must allow at least as much. */
export const MAX_PACKET_BYTES = 6 * 1024 * 1024

/** Largest message of the link (batch, answer, live frame): a packet minus topic and header. */
export const MAX_RECORD_BYTES = MAX_PACKET_BYTES - 1024

const MIB = 1024 * 1024

/** Largest message of an edge on each topic, bytes. An external broker admits more, so that the cloud checks it too. */
export const MESSAGE_BYTES: Readonly<Record<EdgeTopicName, number>> = {
  candidatos: MAX_PACKET_BYTES,
  extras: MIB,
  relato: 256 * 1024,
  respostas: MAX_PACKET_BYTES,
  aovivo: MIB,
  presenca: 256,
  renovacao: 16 * 1024,
}

/**
 * Average rates at which the broker reads edges, and at which the cloud handles messages that cannot wait. An edge that
 * drains its outbox sends about fifty batches a second and acknowledges as many answers.
 */
export const RATES: RateLimits<'packets' | 'bytes'> = {
  packets: { edge: 500, empresa: 1_000, root: 1_500 },
  bytes: { edge: 4 * MIB, empresa: 8 * MIB, root: 12 * MIB },
}

/**
 * Bytes of messages that wait in the cloud. A correct edge has at most 4 MiB of live records and three batches of
 * backlog (up to 6 MiB each) in flight.
 */
export const MAX_QUEUED: ShareLimits = { edge: 24 * MIB, empresa: 48 * MIB, root: 96 * MIB, installation: 256 * MIB }

/** Batches of one edge that wait in the cloud. */
export const MAX_QUEUED_ITEMS = 64

/** Keep-alive of both ends. A dead connection is detected after 1.5 times this (MQTT 3.1.1, 3.1.2.10). */
export const KEEPALIVE_S = 15

/** Largest overhead of a PUBLISH, bytes (MQTT 3.1.1 section 3.3): fixed header, topic length, packet identifier. */
const PUBLISH_OVERHEAD_BYTES = 5 + 2 + 2

/** Size of the whole PUBLISH packet. */
export const packetBytes = (topic: string, payload: Buffer): number =>
  PUBLISH_OVERHEAD_BYTES + Buffer.byteLength(topic) + payload.length

/** The packet exceeds MAX_PACKET_BYTES. Nothing was sent and the session stays up, while a broker would end it. */
export class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError'
  /** Size of the packet. */
  readonly bytes: number

  constructor(topic: string, bytes: number) {
    super(`message too large for the link: ${topic}, ${bytes} bytes`)
    this.bytes = bytes
  }
}
