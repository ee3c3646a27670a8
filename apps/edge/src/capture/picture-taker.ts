import { ONLINE_MS } from '@vigia/contracts/cameras'
import type { Caixa } from '@vigia/contracts/eventos'
import { MAX_RECORD_BYTES } from '@vigia/link/limits'
import type { HeldFrame, JpegOptions, VideoFrame } from '@vigia/video/stream-reader'
import type { Logger } from 'pino'
import type { Picture, PictureRequest } from './model.ts'

/** Takes pictures of one stream on request. */
export interface PictureTaker {
  /** null: no frame arrived in time, or its encoding failed. */
  take(request: PictureRequest): Promise<Picture | null>
  /**
   * Processes one frame, which must stay valid until this resolves. It is retained until the next one, so that a
   * request need not wait.
   */
  frame(frame: VideoFrame, analysed?: Analysed): Promise<void>
  /** Waiting requests resolve with null. */
  close(): void
}

/** Results of the analysis before a frame. */
interface Analysed {
  /** Objects of the last inference. */
  readonly seen: readonly Caixa[]
  readonly moving: boolean
}

/** The link record also contains metadata beside the picture. */
const MAX_BYTES = MAX_RECORD_BYTES - 64 * 1024
/**
 * Interval at which a frame is encoded in advance, because frames cannot be kept. The encoding then costs almost
 * nothing.
 */
const KEEP_EVERY_MS = 5_000
/** In order of preference; the last one always fits. */
const FORMS: readonly JpegOptions[] = [{ quality: 85 }, { quality: 60 }, { quality: 60, maxWidth: 1920 }]
/** Quality of a small picture that is part of a series. */
const SMALL_QUALITY = 70

interface Waiting {
  give(picture: Picture | null): void
  readonly maxSide: number | null
}

export function createPictureTaker({
  cameraId,
  log,
  maxBytes = MAX_BYTES,
  now = () => performance.now(),
}: {
  readonly cameraId: number
  readonly log: Logger
  readonly maxBytes?: number
  /** Monotonic, in ms. */
  now?(): number
}): PictureTaker {
  const waiting = new Set<Waiting>()
  let isClosed = false
  let latest: { readonly held: HeldFrame; readonly at: number } | null = null
  let last: { readonly picture: Picture; readonly at: number } | null = null

  async function encode(frame: VideoFrame, forms: readonly JpegOptions[]): Promise<Picture | null> {
    for (const form of forms) {
      const jpeg = await frame.toJpeg(form)
      const width = Math.min(frame.width, form.maxWidth ?? frame.width)
      const height = Math.max(1, Math.round((frame.height * width) / frame.width))
      if (jpeg.length <= maxBytes) return { jpeg, width, height }
    }
    return null
  }

  function encodeSmall(frame: VideoFrame, maxSide: number): Promise<Picture | null> {
    const share = Math.min(1, maxSide / Math.max(frame.width, frame.height))
    const maxWidth = Math.max(1, Math.round(frame.width * share))
    return encode(frame, [{ quality: SMALL_QUALITY, maxWidth }])
  }

  async function giveSmall(
    frame: VideoFrame,
    asking: readonly Waiting[],
    analysed: Analysed | undefined,
  ): Promise<void> {
    for (const { give, maxSide } of asking) {
      if (maxSide === null) continue
      const picture = await encodeSmall(frame, maxSide)
      give(picture && { ...picture, ...analysed })
    }
  }

  async function giveWhole(frame: VideoFrame, asking: readonly Waiting[]): Promise<void> {
    const at = now()
    const whole = asking.filter(({ maxSide }) => maxSide === null)
    if (whole.length === 0 && last && at - last.at < KEEP_EVERY_MS) return
    const picture = await encode(frame, FORMS)
    if (picture) last = { picture, at }
    end(whole, picture)
  }

  const end = (asking: Iterable<Waiting>, picture: Picture | null) => {
    for (const { give } of asking) give(picture)
  }

  /** From the retained frame; null: it is older, or cannot be encoded. */
  async function takeLatest(maxSide: number | null, maxAgeMs: number): Promise<Picture | null> {
    if (!latest || now() - latest.at >= maxAgeMs) return null
    const { frame, release } = latest.held.frame.retain()
    try {
      const picture = await (maxSide === null ? encode(frame, FORMS) : encodeSmall(frame, maxSide))
      return isClosed ? null : picture
    } catch (error) {
      log.error({ camera: cameraId, err: error }, 'no picture from a retained frame')
      return null
    } finally {
      await release()
    }
  }

  function retain(held: HeldFrame | null): void {
    void latest?.held.release()
    latest = held && { held, at: now() }
  }

  return {
    async take({ waitMs, maxSide, maxAgeMs = 0 }) {
      // Without `maxAgeMs` the request must wait from this turn on: the next frame may arrive at once.
      const ready = maxAgeMs > 0 ? await takeLatest(maxSide, maxAgeMs) : null
      if (ready) return ready
      const { promise, resolve } = Promise.withResolvers<Picture | null>()
      const fresh = () => (maxSide === null && last && now() - last.at < ONLINE_MS ? last.picture : null)
      const timer = setTimeout(() => resolve(fresh()), waitMs)
      const asking = { give: resolve, maxSide }
      waiting.add(asking)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        waiting.delete(asking)
      }
    },

    async frame(frame, analysed) {
      // Later requests get the next frame.
      const asking = [...waiting]
      try {
        await giveWhole(frame, asking)
        await giveSmall(frame, asking, analysed)
        if (!isClosed) retain(frame.retain())
      } catch (error) {
        // The analysis of the stream continues.
        log.error({ camera: cameraId, err: error }, 'no picture from a frame')
        end(asking, null)
      }
    },

    close() {
      isClosed = true
      retain(null)
      end(waiting, null)
    },
  }
}
