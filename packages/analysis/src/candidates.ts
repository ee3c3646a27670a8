import type { NomeIa } from '@vigia/contracts/ias'
import { ownBox } from '@vigia/ias/evidence'
import { evidenceOf } from '@vigia/ias/evidences'
import type { ObservedTrack } from '@vigia/ias/observation'
import type { Track } from '@vigia/vision/track-state'
import type { Outcome } from './analyses.ts'
import { createEvent } from './event.ts'
import type { LookPictures } from './look-pictures.ts'
import type { FrameTime, SavedState, SeenEvent } from './model.ts'
import { createSnapshots, type Snapshot, type Snapshots } from './snapshots.ts'

/** One analysed frame, with what its model made of it. */
interface SeenFrame {
  readonly look: LookPictures
  readonly time: FrameTime
  readonly tracks: readonly (Track & ObservedTrack)[]
  /** Registry ids of the models that saw it, joined with `+`; `imagem`: none. */
  modelo(ia: NomeIa): string
}

export interface Candidates {
  /** Keeps pictures of what may fire and hands on what fired, each analysis together with what it remembers. */
  take(outcomes: readonly Outcome[], seen: SeenFrame): Promise<void>
  /** What each analysis remembers, as of the last frame of which its events were handed over. */
  states(): readonly SavedState[]
}

/** Objects whose pictures are looked at in one frame, beside those that fired: who was looked at longest ago, the largest first; the others have their chance in the next. */
const CONSIDERED = 4
/** As long as a candidate's `modelo` may be. */
const MODELO_MAX = 100

type OnEvents = (events: readonly SeenEvent[], state: unknown) => void

export function createCandidates({ cameraId, onEvents }: { cameraId: number; onEvents: OnEvents }): Candidates {
  const objects = createSnapshots()
  /** By IA that shows more than the track itself: its best picture is one in which that was seen. */
  const ownPictures = new Map<NomeIa, Snapshots>()
  const settled = new Map<NomeIa, SavedState>()

  function picturesFor(ia: NomeIa): Snapshots {
    if (!evidenceOf(ia).shown) return objects
    const own = ownPictures.get(ia) ?? createSnapshots()
    ownPictures.set(ia, own)
    return own
  }

  async function keepPictures({ ia, fired, promising }: Outcome, { look, tracks }: SeenFrame) {
    // An event of several is shown as they are now, together.
    const firing = new Set(fired.flatMap(({ trackIds }) => (trackIds.length === 1 ? trackIds : [])))
    const hopeful = new Set(promising)
    const pictures = picturesFor(ia)
    const visible = tracks
      .filter(({ predicted }) => !predicted)
      .flatMap((track) => {
        const caixas = boxesOf(track, ia)
        return caixas ? [{ id: track.id, caixas, size: size(track), lookedAtMs: pictures.lookedAtMs(track.id) }] : []
      })
      .sort((a, b) => a.lookedAtMs - b.lookedAtMs || b.size - a.size)
    const telling = [
      ...visible.filter(({ id }) => firing.has(id)),
      ...visible.filter(({ id }) => hopeful.has(id) && !firing.has(id)).slice(0, CONSIDERED),
    ]
    for (const { id, caixas } of telling) await pictures.consider(id, caixas, look)
  }

  async function handOn(outcome: Outcome, { look, time, tracks, modelo }: SeenFrame) {
    const { ia, calibracao, fired, state } = outcome
    const about = {
      camera_id: cameraId,
      ocorrido_em: Math.round(time.epochMs),
      calibracao,
      modelo: modelo(ia).slice(0, MODELO_MAX),
    }
    const events = await Promise.all(
      fired.map((one) => {
        const [trackId, ...others] = one.trackIds
        const isOne = trackId !== undefined && others.length === 0
        const best = isOne ? picturesFor(ia).best(trackId) : null
        const track = tracks.find(({ id }) => id === trackId) ?? null
        return createEvent(one, about, { best, track, look })
      }),
    )
    if (events.length > 0) onEvents(events, state)
  }

  return {
    async take(outcomes, seen) {
      const alive = new Set(seen.tracks.map(({ id }) => id))
      for (const one of [objects, ...ownPictures.values()]) one.keepOnly(alive)
      const watched = new Set(outcomes.map(({ ia }) => ia))
      for (const ia of settled.keys()) if (!watched.has(ia)) settled.delete(ia)
      for (const outcome of outcomes) {
        await keepPictures(outcome, seen)
        await handOn(outcome, seen)
        // At once: what was remembered before must not be saved over what went with the events.
        settled.set(outcome.ia, { cameraId, ia: outcome.ia, state: outcome.state })
      }
    },
    states: () => [...settled.values()],
  }
}

const size = ({ confianca, box }: ObservedTrack) => confianca * box.w * box.h

function boxesOf(track: ObservedTrack, ia: NomeIa): Snapshot['caixas'] | null {
  const { shown } = evidenceOf(ia)
  return shown ? shown(track) : [ownBox(track)]
}
