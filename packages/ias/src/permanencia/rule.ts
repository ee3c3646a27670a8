import { ia } from '../catalogue.ts'
import { areaOf, insideShare, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { readSavedVisits, type SavedVisit } from '../saved-visits.ts'
import { createVisits } from '../visits.ts'
import { createWatch, objectEvent, tenths } from '../watch.ts'
import { createZoneInertia } from '../zone-inertia.ts'

/** Outside of the zone for longer than this, ms, the stay is over. */
const LEFT_MS = 5_000
/** Frames with motion that make a person: a poster never stays anywhere. */
const MOTION_FRAMES = 2
/** A box this much inside that of somebody who was told of is a second look at the same person. */
const SAME_PERSON_INSIDE = 0.8

/** One person's stay in the zone. */
interface Stay {
  stayMs: number
  /** Since when he has been outside of it, ms; 0: he is in it. */
  outMs: number
  motionFrames: number
  told: boolean
}

interface PermanenciaState {
  readonly v: 1
  readonly firedAt: number | null
  readonly stays: readonly SavedVisit<Stay>[]
}

/**
 * A person who stays in a zona for `permanencia_s`. The time is the person's, not the track's: it goes on when he is lost and found again
 * (visits.ts), when he steps out for up to five seconds, and across a restart. One event a stay; who leaves and comes back begins a new
 * one. The time counts while the Agenda arms this IA, so that it does not depend on what else the camera is watched for. A stay that is
 * long enough during the cooldown fires at its end, if it still lasts.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const watch = createWatch('permanencia', config, before?.firedAt ?? null)
  const [minFrames, minStayMs] = [watch.limit('min_quadros'), watch.limit('permanencia_s') * 1000]
  const labels = ia('permanencia').rotulos
  const zones = createZoneInertia(polygons(config.zonas))
  const isInside = (track: ObservedTrack) => zones.zoneOf(track.id) !== 'fora'
  const visits = createVisits<Stay>({ saved: before?.stays ?? [], confirms: isInside })
  let promising: readonly number[] = []

  /** Count the time since the last frame for the stay that this track shows, or begin one. */
  const follow = (track: ObservedTrack, epochMs: number, streamMs: number) => {
    const visit = visits.of(track.id)
    if (!visit) {
      const begins = track.hits >= minFrames && watch.qualifies(track) && isInside(track)
      if (begins) visits.begin(track, newStay(visits.motionFrames(track.id)), epochMs, streamMs)
      return
    }
    const stay = visit.data
    stay.motionFrames = Math.max(stay.motionFrames, visits.motionFrames(track.id))
    stay.stayMs += visit.sinceBeforeMs
    stay.outMs = isInside(track) ? 0 : stay.outMs + visit.sinceBeforeMs
    if (stay.outMs > LEFT_MS) visits.forget(visit)
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const people = tracks.filter((track) => labels.includes(track.rotulo))
    zones.update(people, streamMs)
    visits.observe(people, epochMs, streamMs)
    const seen = people.filter((track) => !track.predicted)
    if (watch.armed(epochMs)) for (const track of seen) follow(track, epochMs, streamMs)
    else for (const visit of [...visits.all()]) visits.forget(visit)
    watch.mayFire(epochMs, streamMs)

    const told = seen.filter((track) => visits.of(track.id)?.data.told)
    const staying = seen
      .flatMap((track) => {
        const visit = visits.of(track.id)
        return visit && !visit.data.told && visit.data.outMs === 0 ? [{ track, visit }] : []
      })
      .sort((a, b) => b.visit.data.stayMs - a.visit.data.stayMs || areaOf(b.track.box) - areaOf(a.track.box))
    const fired: Fired[] = []
    for (const { track, visit } of staying) {
      const ripe = visit.data.stayMs >= minStayMs && visit.data.motionFrames >= Math.min(MOTION_FRAMES, minFrames)
      const again = told.some(({ box }) => insideShare(track.box, box) >= SAME_PERSON_INSIDE)
      if (!ripe || again || !watch.qualifies(track) || !watch.mayFire(epochMs, streamMs)) continue
      watch.fired(epochMs, streamMs)
      visit.data.told = true
      told.push(track)
      fired.push(objectEvent('permanencia', track, zones, { duracao_s: tenths(visit.data.stayMs) }))
    }
    promising = staying.filter(({ visit }) => !visit.data.told).map(({ track }) => track.id)
    return fired
  }

  return {
    ia: 'permanencia',
    armed: watch.armed,
    update,
    promising: () => promising,
    state: (): PermanenciaState => ({ v: 1, firedAt: watch.lastFiredAt(), stays: visits.saved() }),
  }
}

const newStay = (motionFrames: number): Stay => ({ stayMs: 0, outMs: 0, motionFrames, told: false })

/** A state of another version or a damaged one is no state: better one event again than none ever. */
function readState(raw: unknown): PermanenciaState | null {
  const state = raw as Partial<PermanenciaState> | null | undefined
  const stays = state?.v === 1 ? readSavedVisits(state.stays, isStay) : null
  return stays && { v: 1, firedAt: typeof state?.firedAt === 'number' ? state.firedAt : null, stays }
}

function isStay(raw: unknown): raw is Stay {
  const { stayMs, outMs, motionFrames, told } = (raw ?? {}) as Partial<Stay>
  return [stayMs, outMs, motionFrames].every((value) => Number.isFinite(value)) && typeof told === 'boolean'
}
