import { type StreamEnd, streamEnd } from './failure.ts'

/** Arrival times of packets, in monotonic ms; null: none yet. */
export interface PacketProgress {
  openedAt: number | null
  firstPacketAt: number | null
  lastPacketAt: number | null
  keyframeSeen: boolean
}

/** Times of pictures, in monotonic ms; null: none yet. */
export interface PictureProgress {
  /** Time of the last picture that was decoded without damage. */
  lastFrameAt: number | null
  /** Time of the first keyframe that the decoder received after that picture. */
  keyframeAt: number | null
}

/** The timeout for a keyframe is this multiple, because cameras with "smart" codecs send one only every 10 to 30 s. */
const keyframeWaitFactor = 3

/** Returns the failure of a stream without usable packets; null before the timeout. */
export function packetsStalled(progress: PacketProgress, now: number, stallTimeoutMs: number): StreamEnd | null {
  const { openedAt, firstPacketAt, lastPacketAt, keyframeSeen } = progress
  if (openedAt === null) return null
  if (firstPacketAt === null || lastPacketAt === null) {
    return now - openedAt > stallTimeoutMs ? streamEnd('sem_quadros') : null
  }
  if (now - lastPacketAt > stallTimeoutMs) return streamEnd('video_parado')
  const noKeyframe = !keyframeSeen && now - firstPacketAt > stallTimeoutMs * keyframeWaitFactor
  return noKeyframe ? streamEnd('dados_invalidos') : null
}

/** Returns the failure of a stream whose packets do not decode; null before the timeout. */
export function picturesStalled(progress: PictureProgress, now: number, stallTimeoutMs: number): StreamEnd | null {
  const { lastFrameAt, keyframeAt } = progress
  const undecodable = keyframeAt !== null && now - keyframeAt > stallTimeoutMs
  const noKeyframe = lastFrameAt !== null && now - lastFrameAt > stallTimeoutMs * keyframeWaitFactor
  return undecodable || noKeyframe ? streamEnd('dados_invalidos') : null
}
