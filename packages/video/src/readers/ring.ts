import { ownCopy } from '../nal-units.ts'
import type { StreamParameters, VideoPacket } from '../packet.ts'
import type { PacketReader } from '../packet-reader.ts'

export interface RingOptions {
  /** Largest number of stored keyframes, each with the packets after it. */
  readonly keyframes: number
  readonly maxBytes: number
}

export interface RingPacket extends Pick<VideoPacket, 'keyframe' | 'timeMs'> {
  readonly data: Buffer
}

/** A keyframe and the packets up to the next one. */
export interface RingGop {
  readonly parameters: Pick<StreamParameters, 'codec' | 'parameterSets' | 'split'>
  /** True if the group does not continue the previous one: other parameter sets, or missing packets. */
  readonly discontinuity: boolean
  readonly packets: readonly RingPacket[]
}

export interface Ring extends PacketReader {
  /**
   * Returns the packets from the last keyframe at or before `fromMs` (stream time) to now, or from the oldest keyframe
   * if that is later.
   */
  cut(fromMs: number): readonly RingGop[]
  readonly bytes: number
}

interface KeptGop extends RingGop {
  readonly packets: RingPacket[]
  bytes: number
}

/**
 * Keeps the latest packets in its own memory. Above the limits of bytes or keyframes the oldest keyframe and its
 * packets are dropped. A group larger than the ring is not stored.
 */
export function createRing({ keyframes, maxBytes }: RingOptions): Ring {
  let gops: KeptGop[] = []
  let bytes = 0
  let expected: number | null = null
  let last: StreamParameters | null = null

  const begin = ({ parameters, sequence }: VideoPacket) => {
    const { codec, parameterSets, split } = parameters
    const discontinuity = parameters !== last || sequence !== expected
    last = parameters
    gops.push({ parameters: { codec, parameterSets, split }, discontinuity, packets: [], bytes: 0 })
  }

  const clear = () => {
    gops = []
    bytes = 0
    expected = null
    last = null
  }

  return {
    opened: clear,
    packet(packet) {
      if (packet.keyframe) begin(packet)
      const gop = gops.at(-1)
      // The group was larger than the ring.
      if (gop === undefined) return
      gop.packets.push({ keyframe: packet.keyframe, timeMs: packet.timeMs, data: ownCopy(packet.data()) })
      gop.bytes += packet.bytes
      bytes += packet.bytes
      expected = packet.sequence + 1
      while (gops.length > keyframes || bytes > maxBytes) bytes -= gops.shift()?.bytes ?? 0
    },
    cut(fromMs) {
      const first = gops.findLastIndex(({ packets }) => (packets[0]?.timeMs ?? 0) <= fromMs)
      return gops.slice(Math.max(0, first)).map(({ parameters, discontinuity, packets }) => ({
        parameters,
        discontinuity,
        packets: [...packets],
      }))
    },
    get bytes() {
      return bytes
    },
  }
}
