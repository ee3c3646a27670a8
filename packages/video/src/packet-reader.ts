import type { AudioPacket } from './audio/audio-config.ts'
import type { StreamEnd } from './failure.ts'
import type { StreamParameters, VideoPacket } from './packet.ts'

/** One run of a connection, as a reader sees it. */
export interface ReaderSession {
  /** False: a file, which waits for its awaited readers and has no stall checks. */
  readonly live: boolean
  readonly stallTimeoutMs: number
  /** Parameters of the SDP or the container; those of the packets take precedence. */
  readonly parameters: StreamParameters
  /** True as soon as the connection closes; a reader may then stop its work. */
  readonly closing: boolean
  /** Closes the connection because the stream is unusable. The first reason counts. */
  end(reason: StreamEnd): void
  /** Reports an error that happened outside of a call; it has the effect of an exception inside a call. */
  fail(error: unknown): void
}

/**
 * A consumer of the packets of a connection. Readers are independent: a call that throws or rejects is an error of that
 * reader only.
 *
 * The connection waits for an awaited reader: it reads the next packet when the reader's promise has settled. An error
 * in it ends the connection. The connection never waits for other readers. Such a reader misses packets while its
 * promise is pending, and continues at the next keyframe. An error detaches it.
 */
export interface PacketReader {
  /** Called when the stream is open. Stream time restarts. */
  opened?(session: ReaderSession): Promise<void> | void
  /** The first packet is a keyframe. */
  packet(packet: VideoPacket): Promise<void> | void
  /** Called for each picture that the reader does not receive before a keyframe, also before `opened`. */
  skipped?(): void
  /** Receives the audio, if the connection has it, in order. Called only after the first picture. */
  audio?(packet: AudioPacket): void
  /** Checks a live stream a few times a second; returns the reason to close it, or null. `now`: monotonic ms. */
  judge?(now: number): StreamEnd | null
  /** Called at the end of a file. Not called when the connection ends for another reason. */
  ended?(): Promise<void> | void
  /**
   * Called when the connection is closed for any reason, or when the reader is detached. Called once after each
   * `opened`.
   */
  closed?(): Promise<void> | void
}
