import { failed, type RtspFailure } from './outcome.ts'
import type { MediaReceiver } from './receiver.ts'

/** Cameras with "smart" codecs send a keyframe only every 10 to 30 s: a unit may take this many times longer than a packet. */
const KEYFRAME_FACTOR = 3

/** Calls `onStall` once when the stream sends nothing usable for too long. Returns what stops the watch. */
export function watchStall(
  receiver: MediaReceiver,
  stallTimeoutMs: number,
  onStall: (end: RtspFailure) => void,
): () => void {
  const playingAtMs = performance.now()
  const periodMs = Math.max(20, Math.min(500, stallTimeoutMs / 10))
  let firstPacketAtMs: number | null = null
  let judgedAtMs = playingAtMs
  const timer = setInterval(() => {
    const nowMs = performance.now()
    // After a blocked event loop packets may wait unread: the next round judges.
    const late = nowMs - judgedAtMs > periodMs * 3
    judgedAtMs = nowMs
    firstPacketAtMs ??= receiver.lastPacketAtMs
    const end = late ? null : judge(nowMs)
    if (!end) return
    clearInterval(timer)
    onStall(end)
  }, periodMs)

  function judge(nowMs: number): RtspFailure | null {
    const { lastPacketAtMs, lastUnitAtMs } = receiver
    if (lastPacketAtMs === null || firstPacketAtMs === null)
      return nowMs - playingAtMs > stallTimeoutMs ? failed('sem_quadros') : null
    if (nowMs - lastPacketAtMs > stallTimeoutMs) return failed('video_parado')
    const unitless = nowMs - (lastUnitAtMs ?? firstPacketAtMs) > stallTimeoutMs * KEYFRAME_FACTOR
    return unitless ? failed('dados_invalidos') : null
  }

  return () => clearInterval(timer)
}
