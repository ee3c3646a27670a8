import { ia } from '../catalogue.ts'
import type { Chance } from '../chance.ts'
import { chanceOf, STAY_REPORTED_MS } from '../chances.ts'
import { areaOf, insideShare, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { readSavedVisits, type SavedVisit } from '../saved-visits.ts'
import { ALERTED } from '../stored-keys.ts'
import { createTrigger, objectEvent, tenths } from '../trigger.ts'
import type { Visit } from '../visit.ts'
import { createVisits } from '../visits.ts'
import { createZoneInertia } from '../zone-inertia.ts'

/** Time outside of the zone after which the stay ends. */
const LEFT_MS = 5_000
/** Required frames with motion: a poster is no person. */
const MOTION_FRAMES = 2
/** Share of a box inside the box of an alerted person from which both show the same person. */
const SAME_PERSON_INSIDE = 0.8

/** One person's stay in the zone. */
interface Stay {
  stayMs: number
  /** Time outside of the zone; 0: inside. */
  outMs: number
  motionFrames: number
  [ALERTED]: boolean
}

interface PermanenciaState {
  readonly v: 1
  readonly firedAt: number | null
  readonly stays: readonly SavedVisit<Stay>[]
}

/**
 * A person stays in a zona for `permanencia_s`. The time belongs to the visit (visits.ts): it continues across a lost
 * track, up to five seconds outside of the zone, and a restart. One event per stay; a person who leaves and comes back
 * begins a new one. The time counts only while the Agenda arms this IA, so that it does not depend on other IAs of the
 * camera. A stay that is long enough during the cooldown fires at the end of the cooldown if it still lasts.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const trigger = createTrigger('permanencia', config, before?.firedAt ?? null)
  const [minFrames, minStayMs] = [trigger.limit('min_quadros'), trigger.limit('permanencia_s') * 1000]
  const labels = ia('permanencia').rotulos
  const zones = createZoneInertia(polygons(config.zonas))
  const isInside = (track: ObservedTrack) => zones.zoneOf(track.id) !== 'fora'
  const visits = createVisits<Stay>({ saved: before?.stays ?? [], confirms: isInside })
  /** The track that fired in each stay since the start. */
  const firstTracks = new WeakMap<Visit<Stay>, number>()
  let promising: readonly number[] = []
  let chances: readonly Chance[] = []

  /** Adds the time since the last frame to the stay of this track, or begins a stay. */
  const follow = (track: ObservedTrack, epochMs: number, streamMs: number) => {
    const visit = visits.of(track.id)
    if (!visit) {
      const begins = track.hits >= minFrames && trigger.qualifies(track) && isInside(track)
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
    if (trigger.armed(epochMs)) for (const track of seen) follow(track, epochMs, streamMs)
    else for (const visit of [...visits.all()]) visits.forget(visit)
    trigger.mayFire(epochMs, streamMs)

    const alerted = seen.filter((track) => visits.of(track.id)?.data[ALERTED])
    const staying = seen
      .flatMap((track) => {
        const visit = visits.of(track.id)
        return visit && !visit.data[ALERTED] && visit.data.outMs === 0 ? [{ track, visit }] : []
      })
      .sort((a, b) => b.visit.data.stayMs - a.visit.data.stayMs || areaOf(b.track.box) - areaOf(a.track.box))
    const fired: Fired[] = []
    for (const { track, visit } of staying) {
      const ripe = visit.data.stayMs >= minStayMs && hasMoved(visit)
      if (!ripe || isAgain(track, alerted) || !trigger.qualifies(track) || !trigger.mayFire(epochMs, streamMs)) continue
      trigger.fired(epochMs, streamMs)
      visit.data[ALERTED] = true
      firstTracks.set(visit, track.id)
      alerted.push(track)
      fired.push(objectEvent('permanencia', track, zones, { duracao_s: tenths(visit.data.stayMs) }))
    }
    promising = staying.filter(({ visit }) => !visit.data[ALERTED]).map(({ track }) => track.id)
    chances = minStayMs > STAY_REPORTED_MS ? [] : seen.flatMap((track) => chanceOfStay(track, alerted, fired, epochMs))
    return fired
  }

  const hasMoved = (visit: Visit<Stay>) => visit.data.motionFrames >= Math.min(MOTION_FRAMES, minFrames)

  const chanceOfStay = (
    track: ObservedTrack,
    alertedTracks: readonly ObservedTrack[],
    fired: readonly Fired[],
    epochMs: number,
  ) => {
    const visit = visits.of(track.id)
    if (!visit || !hasMoved(visit)) return []
    const alerted = visit.data[ALERTED]
    if (!alerted && isAgain(track, alertedTracks)) return []
    const alertedTrack = firstTracks.get(visit) ?? null
    const [inZone, short] = [visit.data.outMs === 0, visit.data.stayMs < minStayMs]
    return chanceOf(trigger, track, { epochMs, inZone, alerted, short, alertedTrack, fired })
  }

  return {
    ia: 'permanencia',
    armed: trigger.armed,
    update,
    promising: () => promising,
    chances: () => chances,
    state: (): PermanenciaState => ({ v: 1, firedAt: trigger.lastFiredAt(), stays: visits.saved() }),
  }
}

const isAgain = (track: ObservedTrack, alerted: readonly ObservedTrack[]): boolean =>
  alerted.some(({ box }) => insideShare(track.box, box) >= SAME_PERSON_INSIDE)

const newStay = (motionFrames: number): Stay => ({ stayMs: 0, outMs: 0, motionFrames, [ALERTED]: false })

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): PermanenciaState | null {
  const state = raw as Partial<PermanenciaState> | null | undefined
  const stays = state?.v === 1 ? readSavedVisits(state.stays, isStay) : null
  return stays && { v: 1, firedAt: typeof state?.firedAt === 'number' ? state.firedAt : null, stays }
}

function isStay(raw: unknown): raw is Stay {
  const { stayMs, outMs, motionFrames, [ALERTED]: alerted } = (raw ?? {}) as Partial<Stay>
  return [stayMs, outMs, motionFrames].every((value) => Number.isFinite(value)) && typeof alerted === 'boolean'
}
