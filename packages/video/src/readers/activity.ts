import type { PacketReader } from '../packet-reader.ts'

/** Figures of the compressed stream over its latest whole groups of pictures; null: fewer than two keyframes so far. */
export interface StreamActivity {
  readonly bytesPerSecond: number
  readonly packetsPerSecond: number
  readonly keyframeIntervalMs: number
  readonly packetsPerKeyframe: number
  /** Mean sizes. */
  readonly keyframeBytes: number
  /** null: every packet is a keyframe. */
  readonly otherPacketBytes: number | null
}

export interface ActivityMeter extends PacketReader {
  read(): StreamActivity | null
  /** Pictures since the connection began, without those that a loss before them makes useless. */
  readonly pictures: number
}

interface Gop {
  readonly startMs: number
  durationMs: number
  packets: number
  bytes: number
  readonly keyframeBytes: number
}

/** Number of keyframes after which the figures follow a change of the camera's settings. */
const keptGops = 8

/** Uses stream time, so that a burst after a pause of the network changes no figure. */
export function createActivityMeter(): ActivityMeter {
  let whole: Gop[] = []
  let open: Gop | null = null
  let pictures = 0
  return {
    get pictures() {
      return pictures
    },
    opened() {
      whole = []
      open = null
    },
    packet({ keyframe, timeMs, bytes }) {
      pictures++
      if (keyframe) {
        if (open) whole = [...whole.slice(1 - keptGops), { ...open, durationMs: timeMs - open.startMs }]
        open = { startMs: timeMs, durationMs: 0, packets: 0, bytes: 0, keyframeBytes: bytes }
      }
      if (open === null) return
      open.packets++
      open.bytes += bytes
    },
    read() {
      const count = whole.length
      if (count === 0) return null
      const sum = (of: (gop: Gop) => number) => whole.reduce((total, gop) => total + of(gop), 0)
      const durationMs = sum((gop) => gop.durationMs)
      const packets = sum((gop) => gop.packets)
      const bytes = sum((gop) => gop.bytes)
      const keyframeBytes = sum((gop) => gop.keyframeBytes)
      return {
        bytesPerSecond: (bytes * 1000) / durationMs,
        packetsPerSecond: (packets * 1000) / durationMs,
        keyframeIntervalMs: durationMs / count,
        packetsPerKeyframe: packets / count,
        keyframeBytes: keyframeBytes / count,
        otherPacketBytes: packets === count ? null : (bytes - keyframeBytes) / (packets - count),
      }
    },
  }
}
