import type { AudioPacket } from '../audio/audio-config.ts'
import { ownCopy } from '../nal-units.ts'
import type { StreamParameters, VideoPacket } from '../packet.ts'
import type { PacketReader } from '../packet-reader.ts'

export interface RingOptions {
  /** Stream time that the ring covers at least, up to the newest packet. */
  readonly spanMs: number
  /** Takes precedence over `spanMs`. */
  readonly maxBytes: number
}

export interface RingPacket extends Pick<VideoPacket, 'keyframe' | 'timeMs'> {
  readonly data: Buffer
}

/** A keyframe and the packets up to the next one. */
export interface RingGop {
  readonly parameters: Pick<StreamParameters, 'codec' | 'parameterSets' | 'split' | 'audio'>
  /** True if the group does not continue the previous one: other parameter sets, or missing packets. */
  readonly discontinuity: boolean
  readonly packets: readonly RingPacket[]
  /** Received between these packets. */
  readonly audio: readonly AudioPacket[]
}

export interface Ring extends PacketReader {
  /**
   * Returns the packets from the last keyframe at or before `fromMs` (stream time) to now, or from the oldest keyframe
   * if that is later.
   */
  cut(fromMs: number): readonly RingGop[]
  /** Keeps the packets from `fromMs` on beyond `spanMs`, within `maxBytes`; null: ends this. */
  hold(fromMs: number | null): void
  /** Changes `spanMs`. Packets that were dropped before stay away. */
  reach(spanMs: number): void
  readonly bytes: number
}

interface KeptGop extends RingGop {
  readonly packets: RingPacket[]
  readonly audio: AudioPacket[]
  bytes: number
}

/**
 * Keeps the latest packets in its own memory. The oldest keyframe and its packets are dropped together, when the next
 * group covers the span, or above the limit of bytes. A group larger than the ring is not stored.
 */
export function createRing({ maxBytes, ...options }: RingOptions): Ring {
  let { spanMs } = options
  let gops: KeptGop[] = []
  let bytes = 0
  let expected: number | null = null
  let last: StreamParameters | null = null
  let heldFromMs: number | null = null

  const startMs = (gop: RingGop | undefined): number => gop?.packets[0]?.timeMs ?? 0

  const begin = ({ parameters, sequence }: VideoPacket) => {
    const { codec, parameterSets, split, audio } = parameters
    const discontinuity = parameters !== last || sequence !== expected
    last = parameters
    const kept = { codec, parameterSets, split, ...(audio && { audio }) }
    gops.push({ parameters: kept, discontinuity, packets: [], audio: [], bytes: 0 })
  }

  const clear = () => {
    gops = []
    bytes = 0
    expected = null
    last = null
    heldFromMs = null
  }

  const dropOldest = () => {
    bytes -= gops.shift()?.bytes ?? 0
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
      const neededFromMs = Math.min(packet.timeMs - spanMs, heldFromMs ?? Number.POSITIVE_INFINITY)
      while (gops.length > 1 && startMs(gops[1]) <= neededFromMs) dropOldest()
      while (bytes > maxBytes) dropOldest()
    },
    audio(packet) {
      const gop = gops.at(-1)
      if (gop === undefined) return
      gop.audio.push(packet)
      gop.bytes += packet.data.length
      bytes += packet.data.length
    },
    cut(fromMs) {
      const first = gops.findLastIndex((gop) => startMs(gop) <= fromMs)
      return gops.slice(Math.max(0, first)).map(({ parameters, discontinuity, packets, audio }) => ({
        parameters,
        discontinuity,
        packets: [...packets],
        audio: [...audio],
      }))
    },
    hold(fromMs) {
      heldFromMs = fromMs
    },
    reach(ms) {
      spanMs = ms
    },
    get bytes() {
      return bytes
    },
  }
}
