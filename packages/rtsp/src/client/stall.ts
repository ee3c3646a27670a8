import { failed, type RtspFailure } from './outcome.ts'
import type { MediaReceiver } from './receiver.ts'

/** Time limit for a unit, as a multiple of the limit for a packet: "smart" codecs send a keyframe every 10 to 30 s. */
const KEYFRAME_FACTOR = 3

/** Calls `onStall` once when no usable data arrives within the limits. Returns a function that stops the monitor. */
export function watchStall(
  receiver: MediaReceiver,
  stallTimeoutMs: number,
  onStall: (end: RtspFailure) => void,
): () => void {
  const playingAtMs = performance.now()
  const periodMs = Math.max(20, Math.min(500, stallTimeoutMs / 10))
  let firstPacketAtMs: number | null = null
  let judgedAtMs = playingAtMs
  let postponed = false
  const timer = setInterval(() => {
    const atMs = performance.now()
    // After a blocked event loop packets may be unread: the next round decides.
    postponed = !postponed && atMs - judgedAtMs > periodMs * 3
    judgedAtMs = atMs
    firstPacketAtMs ??= receiver.lastPacketAtMs
    const end = postponed ? null : judge(atMs)
    if (!end) return
    clearInterval(timer)
    onStall(end)
  }, periodMs)

  function judge(atMs: number): RtspFailure | null {
    const { lastPacketAtMs, lastUnitAtMs } = receiver
    if (lastPacketAtMs === null || firstPacketAtMs === null)
      return atMs - playingAtMs > stallTimeoutMs ? failed('sem_quadros') : null
    if (atMs - lastPacketAtMs > stallTimeoutMs) return failed('video_parado')
    const unitless = atMs - (lastUnitAtMs ?? firstPacketAtMs) > stallTimeoutMs * KEYFRAME_FACTOR
    if (!unitless) return null
    const { foreignStructure } = receiver
    return foreignStructure === null ? failed('dados_invalidos') : failed('codec_nao_suportado', foreignStructure)
  }

  return () => clearInterval(timer)
}
