import type { Packet } from 'node-av/lib'
import type { SourceAudio } from './audio/audio-delivery.ts'
import type { GivenAudio } from './audio/audio-track.ts'
import type { StreamEnd } from './failure.ts'
import type { StreamParameters } from './packet.ts'

/** `auto`: TCP, and UDP where the device refuses TCP. */
export type Transport = 'auto' | 'tcp' | 'udp'

/** Reason for which this side closes a connection. */
export type Interruption = 'aborted' | StreamEnd
/** Outcome of a connection. `end`: end of a file. */
export type Outcome = Interruption | 'end'

export interface SourceOptions {
  readonly transport: Transport
  /** Only the own client has both. Default: `listed`. */
  readonly keepAlive?: 'listed' | 'both'
  readonly openTimeoutMs: number
  readonly stallTimeoutMs: number
  /** Requests the audio of the stream. Absent: the peer is not asked for it. */
  readonly audio?: boolean
}

/** An access unit of a source, with the peer's own time. */
export interface SourcePacket {
  readonly keyframe: boolean
  /** Presentation time from the peer's origin; null: none. */
  readonly ptsMs: number | null
  readonly bytes: number
  /** Packets before it are missing; then it is a keyframe. */
  readonly missing: boolean
  data(): Buffer
  /** The FFmpeg packet with `pts` set to `timeMs` in `PACKET_TIME_BASE`. */
  native(timeMs: number): Packet
}

export interface PacketSink {
  /** The stream plays. Awaited before the first packet. */
  /** `audio`: only if requested. */
  opened(parameters: StreamParameters, audio?: GivenAudio): Promise<void>
  /** The packet is valid until this call returns or its promise settles; then the next packet follows. */
  packet(packet: SourcePacket): Promise<unknown> | undefined
  audio?(packet: SourceAudio): void
  /** A picture was skipped, because no keyframe has come before it. */
  skipped?(): void
}

/** A source of packets. */
export interface PacketSource {
  /** Pictures that it holds back: with 1 it delivers a picture when the next one arrives. */
  readonly heldPictures: 0 | 1
  /** Opens, plays and delivers. Rejects only with a defect. When it settles, all memory is free. */
  run(sink: PacketSink, signal: AbortSignal): Promise<Outcome>
  /**
   * Makes `run` resolve with `reason` within milliseconds. The first reason counts. It has no effect before the stream
   * plays.
   */
  interrupt(reason: Interruption): void
  /** Checks the packets of a live stream; `now`: monotonic ms. Absent if `run` detects stalls itself. */
  judge?(now: number): StreamEnd | null
}
