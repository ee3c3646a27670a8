import type { Caixa } from '@vigia/contracts/eventos'
import type { FramePictures } from './frame-pictures.ts'
import type { EvidencePicture, FrameTime } from './model.ts'

/** The object first, then detections on it, in fractions of the frame. */
type Caixas = readonly [Caixa, ...Caixa[]]

interface Cut {
  readonly streamMs: number
  readonly epochMs: number
  readonly jpeg: Buffer
  /** In fractions of the cut. */
  readonly caixas: Caixa[]
}

/** An event whose further pictures are not complete yet. */
interface Open {
  readonly ref: string
  readonly trackId: number
  /** Time of the event. */
  readonly epochMs: number
  /** Stream time from which a later cut counts, and at which the search for one ends. */
  readonly laterFromMs: number
  readonly untilMs: number
  readonly earlier: readonly Cut[]
}

export interface Cuts {
  /** Keeps a cut of the track from this frame, at most one per CUT_APART_MS. */
  keep(trackId: number, caixas: Caixas, pictures: FramePictures, time: FrameTime): Promise<void>
  /** Begins the further pictures of an event. @param pictureMs stream time of the picture of the candidate */
  begin(ref: string, trackId: number, pictureMs: number, time: FrameTime): void
  /** Cuts the object from a frame of the main stream. @param isNow the track is detected at the time of the frame */
  principal(
    caixas: Caixas,
    pictures: FramePictures,
    at: { readonly dtMs: number; readonly isNow: boolean },
  ): Promise<EvidencePicture>
  /** Whether an event waits for a later cut of the track at this time. */
  wants(trackId: number, streamMs: number): boolean
  /** Returns the events whose pictures are complete. @param alive tracks that continue */
  complete(alive: ReadonlySet<number>, streamMs: number): readonly { ref: string; pictures: EvidencePicture[] }[]
}

/** Minimum time between two pictures of one event: consecutive frames repeat the same error of a model. */
export const CUT_APART_MS = 400
/** Time after the event in which a later picture is taken. */
const LATER_MS = 3_000
/** Size of a cut from the main stream, in pixels: about 20 kB. */
const PRINCIPAL_PX = 480
/** Cuts kept of a track: with them an earlier picture exists for almost every time of the candidate's picture. */
const KEPT = 3
/** Further pictures of an event. */
const WANTED = 2
/** Events of one camera that wait for later cuts. */
const MOST_OPEN = 16
/** Tracks with cuts, about 10 kB each. */
const MOST_TRACKS = 24

/**
 * Further cuts of tracked objects: one before and one after the picture of the candidate, apart in time. If the track
 * ends first, a second earlier one. Every cut is of a frame in which the object was detected.
 */
export function createCuts(): Cuts {
  const kept = new Map<number, Cut[]>()
  let open: Open[] = []

  const finish = ({ ref, trackId, epochMs, laterFromMs, earlier }: Open) => {
    const later = (kept.get(trackId) ?? []).filter(({ streamMs }) => streamMs >= laterFromMs).slice(0, 1)
    const chosen = [...earlier.slice(later.length - WANTED), ...later]
    return { ref, pictures: chosen.map((cut) => pictureOf(cut, epochMs)) }
  }

  return {
    async keep(trackId, caixas, pictures, time) {
      const cuts = kept.get(trackId) ?? []
      const last = cuts.at(-1)
      if (last && time.streamMs - last.streamMs < CUT_APART_MS) return
      if (cuts.length === 0 && kept.size >= MOST_TRACKS) return
      const { jpeg, box } = await pictures.square(caixas[0])
      const cut = {
        streamMs: time.streamMs,
        epochMs: time.epochMs,
        jpeg,
        caixas: caixas.map((caixa) => within(caixa, box)),
      }
      kept.set(trackId, [...cuts, cut].slice(-KEPT))
    },
    begin(ref, trackId, pictureMs, { streamMs, epochMs }) {
      const earlier = (kept.get(trackId) ?? []).filter((cut) => Math.abs(cut.streamMs - pictureMs) >= CUT_APART_MS)
      const laterFromMs = Math.max(pictureMs, streamMs) + CUT_APART_MS
      open.push({ ref, trackId, epochMs, laterFromMs, untilMs: streamMs + LATER_MS, earlier })
      open = open.slice(-MOST_OPEN)
    },
    async principal(caixas, pictures, { dtMs, isNow }) {
      const { jpeg, box } = await pictures.square(caixas[0], PRINCIPAL_PX)
      return {
        jpeg,
        fonte: 'principal',
        redetectada: isNow,
        dt_ms: Math.round(dtMs),
        caixas: caixas.map((caixa) => within(caixa, box)),
      }
    },
    wants: (trackId, streamMs) => open.some((one) => one.trackId === trackId && streamMs >= one.laterFromMs),
    complete(alive, streamMs) {
      const isDone = ({ trackId, laterFromMs, untilMs }: Open) =>
        !alive.has(trackId) || streamMs >= untilMs || (kept.get(trackId)?.at(-1)?.streamMs ?? 0) >= laterFromMs
      const done = open.filter(isDone)
      open = open.filter((one) => !done.includes(one))
      const finished = done.map(finish).filter(({ pictures }) => pictures.length > 0)
      for (const id of kept.keys()) if (!alive.has(id)) kept.delete(id)
      return finished
    },
  }
}

const pictureOf = ({ jpeg, caixas, epochMs }: Cut, eventMs: number): EvidencePicture => ({
  jpeg,
  caixas,
  fonte: 'sub',
  redetectada: true,
  dt_ms: Math.round(epochMs - eventMs),
})

/** A box of the frame in fractions of its part `part`. */
function within({ x, y, w, h, ...rest }: Caixa, part: { x: number; y: number; w: number; h: number }): Caixa {
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  const [left, top] = [clamp((x - part.x) / part.w), clamp((y - part.y) / part.h)]
  return {
    ...rest,
    x: left,
    y: top,
    w: clamp((x + w - part.x) / part.w) - left,
    h: clamp((y + h - part.y) / part.h) - top,
  }
}
