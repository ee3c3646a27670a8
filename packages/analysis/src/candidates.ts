import { randomBytes } from 'node:crypto'
import type { NomeIa } from '@vigia/contracts/ias'
import { ownBox } from '@vigia/ias/evidence'
import { evidenceOf } from '@vigia/ias/evidences'
import type { ObservedTrack } from '@vigia/ias/observation'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { Track } from '@vigia/vision/track-state'
import type { Outcome } from './analyses.ts'
import { type Cuts, createCuts } from './cuts.ts'
import { createEvent } from './event.ts'
import { createFramePictures, type FramePictures } from './frame-pictures.ts'
import type { EvidencePicture, FrameTime, SavedState } from './model.ts'
import type { StageOptions } from './model-stage.ts'
import { createSnapshots, type Snapshot, type Snapshots } from './snapshots.ts'

/** One analysed frame with its tracks. */
interface SeenFrame {
  readonly pictures: FramePictures
  readonly time: FrameTime
  readonly tracks: readonly (Track & ObservedTrack)[]
  /** Registry ids of the models of an IA, joined with `+`; `imagem`: none. */
  modelo(ia: NomeIa): string
}

export interface Candidates {
  /** Keeps the pictures of tracks that may fire, and delivers the events of each analysis together with its state. */
  take(outcomes: readonly Outcome[], seen: SeenFrame): Promise<void>
  /** See `ModelStage`. */
  principal(ref: string, frame: VideoFrame, epochMs: number): Promise<EvidencePicture | null>
  /** State of each analysis after the last frame whose events were delivered. */
  states(): readonly SavedState[]
  /** Name of a track in records, unique per camera and process start. */
  trilhaOf(trackId: number): string
}

/**
 * Largest number of objects considered per frame besides those that fired. Order: least recently considered first, then
 * largest first.
 */
const CONSIDERED = 4
/** Events whose pictures of the main stream may still arrive. */
const MOST_RECENT = 16
/** Distance in time at which a detection and a picture show the same, and at which the track is still near. */
const SAME_MS = 500
const NEAR_MS = 3_000
/** Largest length of a candidate's `modelo`, in characters. */
const MODELO_MAX = 100

type CandidatesOptions = Pick<StageOptions, 'cameraId' | 'onEvents' | 'onEvidence'>

/** The pictures of tracks. */
interface Pictures {
  readonly snapshots: Snapshots
  readonly cuts: Cuts
}

const createPictures = (): Pictures => ({ snapshots: createSnapshots(), cuts: createCuts() })

export function createCandidates({ cameraId, onEvents, onEvidence }: CandidatesOptions): Candidates {
  const objects = createPictures()
  /** Extra detections by IA: the best picture of such an IA must show them, too. */
  const ownPictures = new Map<NomeIa, Pictures>()
  const settled = new Map<NomeIa, SavedState>()
  // Track ids start again with each tracker. The time comes first, so that the cloud inserts near each other.
  const trackerName = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`
  const trilhaOf = (trackId: number) => `${trackerName}-${trackId}`

  let events = 0
  const recent = createRecentEvents()
  let last: Pick<SeenFrame, 'time' | 'tracks'> | null = null

  function picturesFor(ia: NomeIa): Pictures {
    if (!evidenceOf(ia).shown) return objects
    const own = ownPictures.get(ia) ?? createPictures()
    ownPictures.set(ia, own)
    return own
  }

  async function keepPictures({ ia, fired, promising }: Outcome, { pictures, time, tracks }: SeenFrame) {
    // An event of several tracks uses the current frame.
    const firing = new Set(fired.flatMap(({ trackIds }) => (trackIds.length === 1 ? trackIds : [])))
    const hopeful = new Set(promising)
    const { snapshots, cuts } = picturesFor(ia)
    const visible = tracks
      .filter(({ predicted }) => !predicted)
      .flatMap((track) => {
        const caixas = boxesOf(track, ia)
        return caixas
          ? [{ id: track.id, caixas, size: size(track), consideredAtMs: snapshots.consideredAtMs(track.id) }]
          : []
      })
      .sort((a, b) => a.consideredAtMs - b.consideredAtMs || b.size - a.size)
    const considered = [
      ...visible.filter(({ id }) => firing.has(id)),
      ...visible.filter(({ id }) => hopeful.has(id) && !firing.has(id)).slice(0, CONSIDERED),
    ]
    for (const { id, caixas } of considered) await snapshots.consider(id, caixas, pictures)
    if (!onEvidence) return
    const wanted = visible.filter((one) => considered.includes(one) || cuts.wants(one.id, time.streamMs))
    for (const { id, caixas } of wanted) await cuts.keep(id, caixas, pictures, time)
  }

  async function handOn(outcome: Outcome, { pictures, time, tracks, modelo }: SeenFrame) {
    const { ia, calibracao, fired, state } = outcome
    const ocorrido_em = Math.round(time.epochMs)
    const about = { camera_id: cameraId, ocorrido_em, calibracao, modelo: modelo(ia).slice(0, MODELO_MAX) }
    const made = await Promise.all(
      fired.map(async (one) => {
        const [trackId, ...others] = one.trackIds
        const isOne = trackId !== undefined && others.length === 0
        const { snapshots, cuts } = picturesFor(ia)
        const best = isOne ? snapshots.best(trackId) : null
        const track = tracks.find(({ id }) => id === trackId) ?? null
        const trilha = trackId === undefined ? {} : { trilha: trilhaOf(trackId) }
        const event = await createEvent(one, { ...about, ...trilha }, { best, track, pictures })
        if (!onEvidence || !isOne) return event
        const ref = `${trackerName}-${events++}`
        recent.add(ref, { ia, trackId, epochMs: time.epochMs })
        cuts.begin(ref, trackId, best?.takenAtMs ?? time.streamMs, time)
        return { ...event, ref }
      }),
    )
    if (made.length > 0) onEvents(made, state)
  }

  return {
    async principal(ref, frame, epochMs) {
      const event = recent.of(ref)
      const track = event && last?.tracks.find(({ id }) => id === event.trackId)
      const caixas = event && track ? boxesOf(track, event.ia) : null
      if (!event || !track || !caixas || !last) return null
      const seenAtMs = last.time.epochMs - (last.time.streamMs - track.lastSeenMs)
      const agoMs = Math.abs(epochMs - seenAtMs)
      if (agoMs > NEAR_MS) return null
      const pictures = createFramePictures(frame, last.time.streamMs)
      const at = { dtMs: epochMs - event.epochMs, isNow: agoMs <= SAME_MS }
      return picturesFor(event.ia).cuts.principal(caixas, pictures, at)
    },
    async take(outcomes, seen) {
      last = { time: seen.time, tracks: seen.tracks }
      const alive = new Set(seen.tracks.map(({ id }) => id))
      const all = [objects, ...ownPictures.values()]
      for (const { snapshots } of all) snapshots.keepOnly(alive)
      const active = new Set(outcomes.map(({ ia }) => ia))
      for (const ia of settled.keys()) if (!active.has(ia)) settled.delete(ia)
      for (const outcome of outcomes) {
        await keepPictures(outcome, seen)
        await handOn(outcome, seen)
        // Updated before the delivery, so that an older state never overwrites the state of these events.
        settled.set(outcome.ia, { cameraId, ia: outcome.ia, state: outcome.state })
      }
      const complete = all.flatMap(({ cuts }) => cuts.complete(alive, seen.time.streamMs))
      for (const one of complete) onEvidence?.({ cameraId, ...one })
    },
    states: () => [...settled.values()],
    trilhaOf,
  }
}

interface RecentEvent {
  readonly ia: NomeIa
  readonly trackId: number
  readonly epochMs: number
}

/** The last events, by their reference. */
function createRecentEvents() {
  const recent = new Map<string, RecentEvent>()
  return {
    of: (ref: string) => recent.get(ref),
    add(ref: string, event: RecentEvent) {
      recent.set(ref, event)
      const [oldest] = recent.keys()
      if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest)
    },
  }
}

const size = ({ confianca, box }: ObservedTrack) => confianca * box.w * box.h

function boxesOf(track: ObservedTrack, ia: NomeIa): Snapshot['caixas'] | null {
  const { shown } = evidenceOf(ia)
  return shown ? shown(track) : [ownBox(track)]
}
