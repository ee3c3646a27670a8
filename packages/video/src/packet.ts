import { AV_NOPTS_VALUE } from 'node-av/constants'
import type { CodecParameters, Packet } from 'node-av/lib'

export type VideoCodec = 'h264' | 'h265' | 'mpeg4' | 'mjpeg'

/** What a decoder or a packager has to know of a stream. A change of parameter sets makes a new object. */
export interface StreamParameters {
  /** null: one that is not decoded here. */
  readonly codec: VideoCodec | null
  /** The codec's name for a person; null when the stream names none. */
  readonly codecLabel: string | null
  /** SPS, PPS (H.264) or VPS, SPS, PPS (H.265), each in memory of its own. Empty: not known yet, or the codec has none. */
  readonly parameterSets: readonly Buffer[]
  /** Pictures a second as the container or the SDP declares them; null when neither does. */
  readonly fps: number | null
  /** The NAL units in the data of a packet, as views; null when the bytes do not add up or the codec has no NAL units. */
  split(data: Buffer): readonly Buffer[] | null
  /** For FFmpeg's decoder. Valid until the connection is closed. */
  native(): CodecParameters
}

/** One access unit, in decoding order. `data` and `native` are valid until `PacketReader.packet` returns or its promise settles. */
export interface VideoPacket {
  /** Counts the packets of a connection from its first keyframe on: a reader that finds a number left out missed packets. */
  readonly sequence: number
  /** True where decoding can begin. */
  readonly keyframe: boolean
  /**
   * Stream time at which the picture is shown, ms: 0 for the first keyframe of a connection. Increases from packet to packet, except
   * that a reordered picture (B-frame) comes after one that is shown later.
   */
  readonly timeMs: number
  readonly bytes: number
  /** What holds for this packet: another object than before when the parameter sets changed. */
  readonly parameters: StreamParameters
  /** A view into memory of the source: Annex B from RTSP, the container's form from a file. */
  data(): Buffer
  /** For FFmpeg's decoder; its `pts` is `timeMs` in `PACKET_TIME_BASE`. */
  native(): Packet
}

export const PACKET_TIME_BASE = { num: 1, den: 1_000_000 } as const

/** Decoding time is left out, so that the decoder gives each picture the time of its packet. */
export function stampPacket(packet: Packet, timeMs: number): Packet {
  packet.pts = BigInt(Math.round((timeMs / 1000) * PACKET_TIME_BASE.den))
  packet.dts = AV_NOPTS_VALUE
  return packet
}
