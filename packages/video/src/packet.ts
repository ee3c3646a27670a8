import type { Leitura, Perdas } from '@vigia/contracts/transporte'
import { AV_NOPTS_VALUE } from 'node-av/constants'
import type { CodecParameters, Packet } from 'node-av/lib'
import type { AudioConfig } from './audio/audio-config.ts'

export type VideoCodec = 'h264' | 'h265' | 'mpeg4' | 'mjpeg'

/** Parameters of a stream for a decoder or a packager. Changed parameter sets create a new object. */
export interface StreamParameters {
  /** null: a codec that this package does not decode. */
  readonly codec: VideoCodec | null
  /** Display name of the codec; null: the stream gives no name. */
  readonly codecLabel: string | null
  /**
   * SPS, PPS (H.264) or VPS, SPS, PPS (H.265), each in its own memory. Empty if they are unknown so far or the codec
   * has none.
   */
  readonly parameterSets: readonly Buffer[]
  /** The audio beside the video; absent: none, or it was not requested. */
  readonly audio?: AudioConfig
  /** Why there is no audio although it was requested: the stream has none, or one of another format. */
  readonly noAudio?: 'absent' | 'format'
  /** How the stream is read; absent: a file. */
  readonly leitura?: Leitura
  /** Packets of the connection so far; absent: its source does not count them. null: not over UDP, or none yet. */
  readonly perdas?: () => Perdas | null
  /** Pictures a second as declared by the container or the SDP; null: not declared. */
  readonly fps: number | null
  /** The NAL units in the data of a packet, as views. null: inconsistent lengths, or a codec without NAL units. */
  split(data: Buffer): readonly Buffer[] | null
  /** For FFmpeg's decoder. Valid until the connection is closed. */
  native(): CodecParameters
}

/**
 * One access unit, in decoding order. `data` and `native` are valid until `PacketReader.packet` returns or its promise
 * settles.
 */
export interface VideoPacket {
  /** Counts the packets of a connection from its first keyframe on; a gap means missed packets. */
  readonly sequence: number
  /** True where decoding can start. */
  readonly keyframe: boolean
  /**
   * Presentation time of the picture, stream time in ms: 0 for the first keyframe of a connection. Increases from
   * packet to packet, except for reordered pictures (B-frames).
   */
  readonly timeMs: number
  readonly bytes: number
  /** Parameters of this packet: a new object when the parameter sets changed. */
  readonly parameters: StreamParameters
  /** A view into memory of the source: Annex B from RTSP, the container's form from a file. */
  data(): Buffer
  /** For FFmpeg's decoder; its `pts` is `timeMs` in `PACKET_TIME_BASE`. */
  native(): Packet
}

export const PACKET_TIME_BASE = { num: 1, den: 1_000_000 } as const

/** Without a decoding time the decoder gives each picture the time of its packet. */
export function stampPacket(packet: Packet, timeMs: number): Packet {
  packet.pts = BigInt(Math.round((timeMs / 1000) * PACKET_TIME_BASE.den))
  packet.dts = AV_NOPTS_VALUE
  return packet
}
