import type { StreamEnd } from './failure.ts'
import type { StreamParameters, VideoPacket } from './packet.ts'

/** One run of a connection, for a reader. */
export interface ReaderSession {
  /** False: a file, which waits for its pacing readers and has no stall checks. */
  readonly live: boolean
  readonly stallTimeoutMs: number
  /** Parameters of the SDP or the container; those of the packets take precedence. */
  readonly parameters: StreamParameters
  /** True once the connection is closing: further work is useless. */
  readonly closing: boolean
  /** Closes the connection because the stream is unusable. The first reason counts. */
  end(reason: StreamEnd): void
  /** Reports an error outside of a call, with the effect of an exception inside a call. */
  fail(error: unknown): void
}

/**
 * A consumer of the packets of a connection. Readers are independent: a call that throws or rejects is an error of that
 * reader only.
 *
 * The connection waits for a pacing reader: it reads the next packet when the reader's promise has settled. An error in
 * it ends the connection. The connection never waits for other readers. Such a reader misses packets while its promise
 * is pending, and continues at the next keyframe. An error detaches it.
 */
export interface PacketReader {
  /** The stream is open. Stream time restarts. */
  opened?(session: ReaderSession): Promise<void> | void
  /** The first packet is a keyframe. */
  packet(packet: VideoPacket): Promise<void> | void
  /** Checks a live stream a few times a second; returns the reason to close it, or null. `now`: monotonic ms. */
  judge?(now: number): StreamEnd | null
  /** End of a file. Not called for other outcomes. */
  ended?(): Promise<void> | void
  /** The connection is closed for any reason, or the reader is detached. Called once after each `opened`. */
  closed?(): Promise<void> | void
}
