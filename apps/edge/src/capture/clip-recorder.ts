import { MAX_EVENTOS_CLIPE } from '@vigia/contracts/extras'
import type { Mask } from '@vigia/video/mask'
import type { PacketReader } from '@vigia/video/packet-reader'
import { createRing, type RingGop } from '@vigia/video/readers/ring'
import { type ClipWindow, createClipCutter } from './clip-cutter.ts'
import type { ClipRecorderOptions } from './clip-options.ts'
import { type ClipSpan, usualSpan } from './clip-span.ts'

/** Keeps the last seconds of a camera's stream and cuts a clip around each event. */
export interface ClipRecorder {
  /** Attach it to each connection of the camera. */
  readonly reader: PacketReader
  /** Relates stream time to the edge clock. `timestampMs`: stream time of a frame; `epochMs`: when it was taken. */
  frame(timestampMs: number, epochMs: number): void
  /** Cuts a clip around `epochMs` some seconds after its end. `ref` identifies the event in the answer. */
  event(ref: string, epochMs: number, span?: ClipSpan): void
  /** Keeps the pictures for events whose part before is at most this long. */
  reach(beforeMs: number): void
  /** The packets from the last keyframe to now; null: none, or memory does not hold them. */
  newestGroup(): RingGop | null
  /** Covers the clips that are not cut yet by another mask. */
  cover(mask: Mask | null): void
  /** Removes the audio of the clips that are not cut yet. */
  silence(): void
  /** Settles when the answers of all events are given. Detach the reader before. */
  stop(): Promise<void>
}

const [BEFORE_MS, AFTER_MS] = [usualSpan.beforeMs, usualSpan.afterMs]
/** Limit for a clip of several events whose windows overlap. */
const LONGEST_MS = 60_000
/** Time after its picture in which most events are raised. */
const LATE_MS = 5_000
/**
 * Memory of a camera. Older packets go to the disk. Without space there, a clip that needs two thirds of the memory
 * ends early. Suffices for 8 Mbit/s.
 */
export const MAX_BYTES = 24 * 1024 * 1024
/** Disk of one capture process for groups of pictures beyond the memory of its cameras. */
export const SPILL = { maxBytes: 512 * 1024 * 1024, reserveBytes: 1024 * 1024 * 1024 } as const

export function createClipRecorder(options: ClipRecorderOptions): ClipRecorder {
  const { beforeMs = BEFORE_MS, afterMs = AFTER_MS, longestMs = LONGEST_MS, maxBytes = MAX_BYTES, onMissing } = options
  const cutter = createClipCutter(options)
  let { mask } = options
  let isSilent = false
  const ring = createRing({ spanMs: beforeMs + LATE_MS, maxBytes, spill: options.spill })
  /** Longest part of a clip before its event. */
  let reachMs = beforeMs
  let open: ClipWindow[] = []
  let newestMs = 0
  let isConnected = false
  let last: { readonly timestampMs: number; readonly epochMs: number } | null = null

  const hold = () => ring.hold(open.length === 0 ? null : Math.min(...open.map(({ fromMs }) => fromMs)))

  const finish = (window: ClipWindow) => {
    open = open.filter((other) => other !== window)
    const kept = ring.cut(window.fromMs)
    const gops = isSilent ? kept.map((gop) => ({ ...gop, audio: [] })) : kept
    cutter.cut(window, gops, mask)
    hold()
  }

  const finishDue = () => {
    // A later event whose window overlaps may still be raised until then.
    for (const window of [...open]) if (newestMs > window.toMs + reachMs || ring.isFull) finish(window)
  }

  return {
    reader: {
      opened(session) {
        void ring.opened?.(session)
        newestMs = 0
        last = null
        isConnected = true
      },
      packet(packet) {
        void ring.packet(packet)
        newestMs = Math.max(newestMs, packet.timeMs)
        if (open.length > 0) finishDue()
      },
      audio: (packet) => ring.audio?.(packet),
      closed() {
        isConnected = false
        for (const window of [...open]) finish(window)
      },
    },
    frame(timestampMs, epochMs) {
      last = { timestampMs, epochMs }
    },
    reach(ms) {
      reachMs = ms
      ring.reach(ms + LATE_MS)
    },
    event(ref, epochMs, span = { beforeMs, afterMs }) {
      if (last === null) return onMissing([ref], 'sem_quadros')
      const atMs = last.timestampMs - (last.epochMs - epochMs)
      const [fromMs, toMs] = [atMs - span.beforeMs, atMs + span.afterMs]
      const joined = open.find(
        (one) =>
          fromMs <= one.toMs &&
          toMs >= one.fromMs &&
          one.events.length < MAX_EVENTOS_CLIPE &&
          Math.max(toMs, one.toMs) - Math.min(fromMs, one.fromMs) <= longestMs,
      )
      const event = { ref, atMs, epochMs }
      if (joined) {
        joined.fromMs = Math.min(fromMs, joined.fromMs)
        joined.toMs = Math.max(toMs, joined.toMs)
        joined.events.push(event)
      } else open.push({ fromMs, toMs, events: [event] })
      hold()
      // The inference of the last frame ended after the connection.
      if (isConnected) finishDue()
      else for (const window of [...open]) finish(window)
    },
    newestGroup: () => ring.newest(),
    silence() {
      isSilent = true
    },
    cover(next) {
      mask = next
    },
    async stop() {
      for (const window of [...open]) finish(window)
      ring.clear()
      await cutter.done()
    },
  }
}
