import { type StreamEnd, streamEnd } from './failure.ts'

/** Which packets have come so far, in monotonic milliseconds; null: none yet. */
export interface PacketProgress {
  openedAt: number | null
  firstPacketAt: number | null
  lastPacketAt: number | null
  keyframeSeen: boolean
}

/** Which pictures have come so far, in monotonic milliseconds; null: none yet. */
export interface PictureProgress {
  /** The last picture that decoded without damage. */
  lastFrameAt: number | null
  /** The first keyframe given to the decoder since that picture. */
  keyframeAt: number | null
}

/** Cameras with "smart" codecs send a keyframe only every 10 to 30 s: the wait for one is this many times longer. */
const keyframeWaitFactor = 3

/** Judges a stream that sends no usable packets: null while they may still come. */
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

/** Judges packets that come and do not decode: null while they may still. */
export function picturesStalled(progress: PictureProgress, now: number, stallTimeoutMs: number): StreamEnd | null {
  const { lastFrameAt, keyframeAt } = progress
  const undecodable = keyframeAt !== null && now - keyframeAt > stallTimeoutMs
  const noKeyframe = lastFrameAt !== null && now - lastFrameAt > stallTimeoutMs * keyframeWaitFactor
  return undecodable || noKeyframe ? streamEnd('dados_invalidos') : null
}
