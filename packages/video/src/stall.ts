import { type StreamEnd, streamEnd } from './failure.ts'

/** What has come so far, in monotonic milliseconds; null: not yet. */
export interface Progress {
  readonly openedAt: number
  firstPacketAt: number | null
  lastPacketAt: number | null
  /** The last picture that decoded without damage. */
  lastFrameAt: number | null
  /** The first keyframe handed to the decoder since that picture. */
  keyframeAt: number | null
}

/** Cameras with "smart" codecs send a keyframe only every 10 to 30 s: waiting for one is given this many times longer. */
const keyframePatience = 3

/** Judges a stream that sends nothing usable: null while it may still come. */
export function stalled(progress: Progress, now: number, stallTimeoutMs: number): StreamEnd | null {
  const { openedAt, firstPacketAt, lastPacketAt, lastFrameAt, keyframeAt } = progress
  if (firstPacketAt === null || lastPacketAt === null) {
    return now - openedAt > stallTimeoutMs ? streamEnd('sem_quadros') : null
  }
  if (now - lastPacketAt > stallTimeoutMs) return streamEnd('video_parado')
  const undecodable = keyframeAt !== null && now - keyframeAt > stallTimeoutMs
  const noKeyframe = now - (lastFrameAt ?? firstPacketAt) > stallTimeoutMs * keyframePatience
  return undecodable || noKeyframe ? streamEnd('dados_invalidos') : null
}
