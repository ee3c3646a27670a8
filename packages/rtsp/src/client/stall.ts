import { LONGEST_GROUP_MS } from '@vigia/contracts/keyframes'
import { failed, type RtspFailure } from './outcome.ts'
import type { MediaReceiver } from './receiver.ts'

/** Time limit for a unit while no picture is recognised, as a multiple of the limit for a packet. */
const UNIT_FACTOR = 3

type Progress = Pick<MediaReceiver, 'lastPacketAtMs' | 'lastUnitAtMs' | 'skipped' | 'damage' | 'foreignStructure'>

interface Times {
  readonly playingAtMs: number
  readonly firstPacketAtMs: number | null
  readonly atMs: number
}

/** Calls `onStall` once when no usable data arrives within the limits. Returns a function that stops the monitor. */
export function watchStall(
  receiver: Progress,
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
    const end = postponed ? null : mediaStalled(receiver, { playingAtMs, firstPacketAtMs, atMs }, stallTimeoutMs)
    if (!end) return
    clearInterval(timer)
    onStall(end)
  }, periodMs)
  return () => clearInterval(timer)
}

/**
 * Returns the failure of a session without usable data; null before the time limits. Pictures without a keyframe are no
 * failure before the longest group is over: a new connection would join the group in the middle again.
 */
export function mediaStalled(receiver: Progress, times: Times, stallTimeoutMs: number): RtspFailure | null {
  const { lastPacketAtMs, lastUnitAtMs, skipped, damage, foreignStructure } = receiver
  const { playingAtMs, firstPacketAtMs, atMs } = times
  if (lastPacketAtMs === null || firstPacketAtMs === null)
    return atMs - playingAtMs > stallTimeoutMs ? failed('sem_quadros') : null
  if (atMs - lastPacketAtMs > stallTimeoutMs) return failed('video_parado')
  if (damage !== null) return failed('video_danificado', damage.detail)
  const unitMs = stallTimeoutMs * UNIT_FACTOR
  if (atMs - (lastUnitAtMs ?? firstPacketAtMs) <= unitMs) return null
  if (skipped !== null && atMs - skipped.lastAtMs <= unitMs)
    return atMs - skipped.sinceMs > LONGEST_GROUP_MS ? failed('sem_quadro_chave') : null
  return foreignStructure === null ? failed('dados_invalidos') : failed('codec_nao_suportado', foreignStructure)
}
