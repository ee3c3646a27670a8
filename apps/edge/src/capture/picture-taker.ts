import { ONLINE_MS } from '@vigia/contracts/cameras'
import { MAX_RECORD_BYTES } from '@vigia/link/limits'
import type { JpegOptions, VideoFrame } from '@vigia/video/stream-reader'
import type { Logger } from 'pino'
import type { Picture } from './protocol.ts'

/** Pictures of one stream for whoever asks what it shows now. */
export interface PictureTaker {
  /** The next frame; when none comes within `waitMs`, the last one while it is fresh; else null. */
  take(waitMs: number): Promise<Picture | null>
  /** One frame, which must stay valid until this resolves. */
  frame(frame: VideoFrame): Promise<void>
  /** Whoever waits gets null. */
  close(): void
}

/** Room for what stands around the picture on the link. */
const MAX_BYTES = MAX_RECORD_BYTES - 64 * 1024
/** A frame can not be kept, only its picture; made this seldom, it costs next to nothing. */
const KEEP_EVERY_MS = 5_000
/** In the order of preference; the last one is small enough whatever it shows. */
const FORMS: readonly JpegOptions[] = [{ quality: 85 }, { quality: 60 }, { quality: 60, maxWidth: 1920 }]

export function createPictureTaker({
  cameraId,
  log,
  maxBytes = MAX_BYTES,
  now = () => performance.now(),
}: {
  readonly cameraId: number
  readonly log: Logger
  readonly maxBytes?: number
  /** Monotonic, ms. */
  now?(): number
}): PictureTaker {
  const waiting = new Set<(picture: Picture | null) => void>()
  let last: { readonly picture: Picture; readonly at: number } | null = null

  async function encode(frame: VideoFrame): Promise<Picture | null> {
    for (const form of FORMS) {
      const jpeg = await frame.toJpeg(form)
      const width = Math.min(frame.width, form.maxWidth ?? frame.width)
      const height = Math.round((frame.height * width) / frame.width)
      if (jpeg.length <= maxBytes) return { jpeg, width, height }
    }
    return null
  }

  const end = (asking: Iterable<(picture: Picture | null) => void>, picture: Picture | null) => {
    for (const give of asking) give(picture)
  }

  return {
    async take(waitMs) {
      const { promise, resolve } = Promise.withResolvers<Picture | null>()
      const timer = setTimeout(() => resolve(last && now() - last.at < ONLINE_MS ? last.picture : null), waitMs)
      waiting.add(resolve)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        waiting.delete(resolve)
      }
    },

    async frame(frame) {
      // Those who ask from here on get the frame after this one.
      const asking = [...waiting]
      const at = now()
      if (asking.length === 0 && last && at - last.at < KEEP_EVERY_MS) return
      try {
        const picture = await encode(frame)
        if (picture) last = { picture, at }
        end(asking, picture)
      } catch (error) {
        // The stream is analysed all the same.
        log.error({ camera: cameraId, err: error }, 'no picture of a frame')
        end(asking, null)
      }
    },

    close: () => end(waiting, null),
  }
}
