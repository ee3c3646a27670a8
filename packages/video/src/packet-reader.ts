import type { StreamEnd } from './failure.ts'
import type { StreamParameters, VideoPacket } from './packet.ts'

/** One run of a connection, as a reader sees it. */
export interface ReaderSession {
  /** False: a file, which waits for its pacing readers and is not judged. */
  readonly live: boolean
  readonly stallTimeoutMs: number
  /** As the SDP or the container states them; those of the packets count. */
  readonly parameters: StreamParameters
  /** True once the connection is being closed: nothing more is wanted. */
  readonly closing: boolean
  /** Closes the connection because the stream is of no use. The first reason stays. */
  end(reason: StreamEnd): void
  /** Reports a fault outside of a call, with the consequence of an exception inside of one. */
  fail(error: unknown): void
}

/**
 * Something that follows the packets of a connection. Readers do not know each other; a call that throws or rejects is a fault of
 * that reader alone.
 *
 * A pacing reader is waited for: the next packet is read when its promise has settled, and its fault ends the connection.
 * Any other reader is never waited for. It misses the packets that come while its promise is pending, and goes on at the next
 * keyframe. Its fault detaches it.
 */
export interface PacketReader {
  /** The stream is open. Stream time starts over. */
  opened?(session: ReaderSession): Promise<void> | void
  /** The first packet is a keyframe. */
  packet(packet: VideoPacket): Promise<void> | void
  /** Judges a live stream, a few times a second, `now` in monotonic ms: a reason to close it, or null. */
  judge?(now: number): StreamEnd | null
  /** A file came to its end. Not called on any other end. */
  ended?(): Promise<void> | void
  /** The connection is closed, for whatever reason, or the reader is detached. Called once after each `opened`. */
  closed?(): Promise<void> | void
}
