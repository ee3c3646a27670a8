import type { Packet } from 'node-av/lib'
import type { StreamEnd } from './failure.ts'
import type { StreamParameters } from './packet.ts'

export type Transport = 'tcp' | 'udp'

/** Why a connection is closed from this side. */
export type Interruption = 'aborted' | StreamEnd
/** How a connection ended. `end`: a file came to its end. */
export type Outcome = Interruption | 'end'

export interface SourceOptions {
  readonly transport: Transport
  readonly openTimeoutMs: number
  readonly stallTimeoutMs: number
}

/** An access unit as a source delivers it, with the peer's own time. */
export interface SourcePacket {
  readonly keyframe: boolean
  /** Presentation time in ms, from wherever the peer counts; null: it has none. */
  readonly ptsMs: number | null
  readonly bytes: number
  /** Packets before it are missing; it is a keyframe then. */
  readonly missing: boolean
  data(): Buffer
  /** With `pts` set to `timeMs` in `PACKET_TIME_BASE`. */
  native(timeMs: number): Packet
}

export interface PacketSink {
  /** The stream plays. Awaited before the first packet. */
  opened(parameters: StreamParameters): Promise<void>
  /** The packet is valid until this returns or its promise settles; the next one is delivered after that. */
  packet(packet: SourcePacket): Promise<unknown> | undefined
}

/** Where packets come from. */
export interface PacketSource {
  /** Opens, plays and delivers. Rejects only with a defect. All is freed when it settles. */
  run(sink: PacketSink, signal: AbortSignal): Promise<Outcome>
  /** Makes `run` resolve with `reason` within milliseconds. The first reason stays. Without effect before the stream plays. */
  interrupt(reason: Interruption): void
  /** Judges the packets of a live stream, `now` in monotonic ms. Left out: `run` ends by itself. */
  judge?(now: number): StreamEnd | null
}
