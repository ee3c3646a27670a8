import type { AudioPacket } from '../audio/audio-config.ts'
import { ownCopy } from '../nal-units.ts'
import type { StreamParameters, VideoPacket } from '../packet.ts'
import type { PacketReader } from '../packet-reader.ts'
import type { SpillFile, SpillSpace } from './spill.ts'

export interface RingOptions {
  /** Stream time that the ring covers at least, up to the newest packet. */
  readonly spanMs: number
  /** Memory. Takes precedence over `spanMs`. */
  readonly maxBytes: number
  /** Disk for what the memory cannot hold; absent: whole groups are dropped instead. */
  readonly spill?: SpillSpace | null | undefined
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
  /** Must be called once when the packets are no longer needed; absent: they are in memory. */
  readonly close?: () => void
}

export interface Ring extends PacketReader {
  /**
   * Returns the packets from the last keyframe at or before `fromMs` (stream time) to now, or from the oldest keyframe
   * if that is later.
   */
  cut(fromMs: number): readonly RingGop[]
  /** The newest group; null: none, or memory does not hold it. */
  newest(): RingGop | null
  /** Keeps the packets from `fromMs` on beyond `spanMs`, within `maxBytes`; null: ends this. */
  hold(fromMs: number | null): void
  /** Changes `spanMs`. Packets that were dropped before stay away. */
  reach(spanMs: number): void
  clear(): void
  /** Memory of the packets. */
  readonly bytes: number
  /** Further packets may soon drop the oldest ones that are needed. */
  readonly isFull: boolean
}

interface KeptGop extends RingGop {
  readonly packets: RingPacket[]
  readonly audio: AudioPacket[]
  /** In memory. */
  bytes: number
  /** Number of its first packets that are on the disk. */
  spilled: number
  file: SpillFile | null
}

/**
 * Keeps the latest packets in its own memory. The oldest keyframe and its packets are dropped together, when the next
 * group covers the span. Above the limit of bytes the oldest packets go to the disk. Without space there the oldest
 * group is dropped, so that a group larger than the ring is not stored.
 */
export function createRing({ maxBytes, spill = null, ...options }: RingOptions): Ring {
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
    gops.push({ parameters: kept, discontinuity, packets: [], audio: [], bytes: 0, spilled: 0, file: null })
  }

  const clear = () => {
    for (const { file } of gops) file?.release()
    gops = []
    bytes = 0
    expected = null
    last = null
    heldFromMs = null
  }

  const dropOldest = () => {
    const oldest = gops.shift()
    bytes -= oldest?.bytes ?? 0
    oldest?.file?.release()
  }

  /** Moves the oldest packet that is in memory to the disk; false: there is no space. */
  const spillOldest = (): boolean => {
    const gop = gops.find(({ spilled, packets }) => spilled < packets.length)
    const packet = gop?.packets[gop.spilled]
    if (!gop || !packet || !spill) return false
    gop.file ??= spill.open()
    const read = gop.file?.write(packet.data)
    if (!read) return false
    const { keyframe, timeMs, data } = packet
    gop.packets[gop.spilled++] = {
      keyframe,
      timeMs,
      get data() {
        return read()
      },
    }
    gop.bytes -= data.length
    bytes -= data.length
    return true
  }

  const copyOf = ({ parameters, discontinuity, packets, audio, file }: KeptGop): RingGop => {
    file?.hold()
    const copy = { parameters, discontinuity, packets: [...packets], audio: [...audio] }
    return file ? { ...copy, close: () => file.release() } : copy
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
      while (bytes > maxBytes) if (!spillOldest()) dropOldest()
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
      return gops.slice(Math.max(0, first)).map(copyOf)
    },
    newest() {
      const last = gops.at(-1)
      return last && last.spilled === 0 ? copyOf(last) : null
    },
    hold(fromMs) {
      heldFromMs = fromMs
    },
    reach(ms) {
      spanMs = ms
    },
    clear,
    get bytes() {
      return bytes
    },
    get isFull() {
      return bytes > (maxBytes * 2) / 3 && !spill?.hasSpace(maxBytes)
    },
  }
}
