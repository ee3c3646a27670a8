import { createHash } from 'node:crypto'
import { MAX_CLIPE_MS } from '@vigia/contracts/extras'
import { USUAL_GROUP_MS } from '@vigia/contracts/keyframes'
import { copyGops } from '@vigia/video/encode/copy-gops'
import { NoEncoderError } from '@vigia/video/encode/small-copy'
import type { Mask } from '@vigia/video/mask'
import { type Clip, makeClip } from '@vigia/video/mp4/clip'
import type { RingGop } from '@vigia/video/readers/ring'
import { makeStrip } from '@vigia/video/strip'
import type { ClipRecorderOptions } from './clip-options.ts'

/** Part of the stream that a clip shows, and its events. */
export interface ClipWindow {
  fromMs: number
  toMs: number
  readonly events: { readonly ref: string; readonly atMs: number; readonly epochMs: number }[]
}

/** Makes clips of kept pictures, one after another, and answers for each event of a window. */
export interface ClipCutter {
  /** `by`: covers the clip, which is then a small copy; null: unchanged. */
  cut(window: ClipWindow, gops: readonly RingGop[], by: Mask | null): void
  /** Settles when the answers of all events are given. */
  done(): Promise<void>
}

/** The last picture lasts a while. */
const MARGIN_MS = 5_000
/**
 * A clip begins at a keyframe. With one that is further away than this from the wanted beginning, the clip is a small
 * copy, which has keyframes of its own.
 */
const MOST_LEAD_MS = 30_000

export function createClipCutter(
  options: Pick<ClipRecorderOptions, 'cameraId' | 'inTurn' | 'log' | 'onClip' | 'onMissing'>,
): ClipCutter {
  const { cameraId, log, onClip, onMissing } = options
  let delivery: Promise<void> = Promise.resolve()

  /** A strip shows keyframes, of which a clip of a long group has one only: it shows those of a small copy. */
  const stripOf = async ({ gops, startMs, durationMs }: Clip) => {
    const isLong = durationMs / gops.length > USUAL_GROUP_MS
    const copied = isLong ? options.inTurn(() => copyGops(gops, startMs + durationMs, null)) : gops
    return await makeStrip(await copied, null)
  }

  const deliver = async (clip: Clip, events: ClipWindow['events']) => {
    const [first] = events
    if (!first) return
    const { data, codec, codecs, width, height, startMs, durationMs } = clip
    const about = {
      cameraId,
      events: events.map(({ ref, atMs }) => ({ ref, offsetMs: Math.max(0, Math.round(atMs - startMs)) })),
      startedAt: Math.round(first.epochMs - (first.atMs - startMs)),
      durationMs: Math.round(durationMs),
      codec,
      codecs,
      width,
      height,
      data,
      sha256: createHash('sha256').update(data).digest('hex'),
    }
    const strip = await stripOf(clip).catch((error: unknown) => {
      log.warn({ camera: cameraId, err: error }, 'a clip has no strip')
      return null
    })
    onClip({ ...about, strip })
  }

  const cutOne = async ({ events, fromMs, toMs }: ClipWindow, gops: readonly RingGop[], by: Mask | null) => {
    const firstMs = gops[0]?.packets[0]?.timeMs ?? fromMs
    const isFar = fromMs - firstMs > MOST_LEAD_MS
    const atMost = Math.min(toMs, (isFar ? fromMs : firstMs) + MAX_CLIPE_MS - MARGIN_MS)
    const beginMs = isFar ? fromMs : undefined
    const used = by || isFar ? await options.inTurn(() => copyGops(gops, atMost, by, beginMs)) : gops
    const clip = makeClip(used, { atMs: events[0]?.atMs ?? fromMs, toMs: atMost })
    const endMs = clip ? clip.startMs + clip.durationMs : 0
    const isInside = ({ atMs }: ClipWindow['events'][number]) => clip !== null && atMs >= clip.startMs && atMs <= endMs
    const missing = events.filter((event) => !isInside(event)).map(({ ref }) => ref)
    if (missing.length > 0) onMissing(missing, clip || gops.length === 0 ? 'sem_quadros' : 'codec_desconhecido')
    if (clip) await deliver(clip, events.filter(isInside))
  }

  return {
    cut(window, gops, by) {
      delivery = delivery
        .then(() => cutOne(window, gops, by))
        .catch((error: unknown) => {
          const refs = window.events.map(({ ref }) => ref)
          if (error instanceof NoEncoderError) return onMissing(refs, 'sem_codificador')
          log.error({ camera: cameraId, err: error }, 'clip not cut')
          onMissing(refs, 'recorte_falhou')
        })
        .finally(() => {
          for (const gop of gops) gop.close?.()
        })
    },
    done: () => delivery,
  }
}
