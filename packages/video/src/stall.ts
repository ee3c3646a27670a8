import { LONGEST_GROUP_MS } from '@vigia/contracts/keyframes'
import { type StreamEnd, streamEnd } from './failure.ts'

/** Arrival times of packets, in monotonic ms; null: none yet. */
export interface PacketProgress {
  openedAt: number | null
  firstPacketAt: number | null
  lastPacketAt: number | null
  keyframeSeen: boolean
  /** Arrival of the last packet before the first keyframe that is a picture of the codec. */
  lastSkippedAt: number | null
}

/** Times of pictures, in monotonic ms; null: none yet. */
export interface PictureProgress {
  /** Time of the last picture that was decoded without damage. */
  lastFrameAt: number | null
  /** Time of the first keyframe that the decoder received after that picture. */
  keyframeAt: number | null
}

/** Time limit for a picture, as a multiple of the limit for a packet. */
const pictureFactor = 3

/** Returns the failure of a stream without usable packets; null before the timeout. */
export function packetsStalled(progress: PacketProgress, now: number, stallTimeoutMs: number): StreamEnd | null {
  const { openedAt, firstPacketAt, lastPacketAt, keyframeSeen, lastSkippedAt } = progress
  if (openedAt === null) return null
  if (firstPacketAt === null || lastPacketAt === null) {
    return now - openedAt > stallTimeoutMs ? streamEnd('sem_quadros') : null
  }
  if (now - lastPacketAt > stallTimeoutMs) return streamEnd('video_parado')
  const pictureMs = stallTimeoutMs * pictureFactor
  if (keyframeSeen || now - firstPacketAt <= pictureMs) return null
  if (lastSkippedAt === null || now - lastSkippedAt > pictureMs) return streamEnd('dados_invalidos')
  // A new connection would join the group in the middle again.
  return now - firstPacketAt > LONGEST_GROUP_MS ? streamEnd('sem_quadro_chave') : null
}

/** Returns the failure of a stream whose packets do not decode; null before the timeout. */
export function picturesStalled(progress: PictureProgress, now: number, stallTimeoutMs: number): StreamEnd | null {
  const { lastFrameAt, keyframeAt } = progress
  const undecodable = keyframeAt !== null && now - keyframeAt > stallTimeoutMs
  if (undecodable) return streamEnd('dados_invalidos')
  // After damage the pictures are skipped up to the next keyframe.
  const noKeyframe = lastFrameAt !== null && now - lastFrameAt > LONGEST_GROUP_MS
  return noKeyframe ? streamEnd('sem_quadro_chave') : null
}
