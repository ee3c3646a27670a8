import { ia } from '../catalogue.ts'
import { areaOf, type Box, insideShare, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { createPresenceMemory, isSavedPresence, type SavedPresence } from '../presence.ts'
import { createWatch, objectEvent } from '../watch.ts'
import { createZoneInertia } from '../zone-inertia.ts'

/** A box this much inside another is a second look at the same person (arms and head found apart from the body). */
const SAME_PERSON_INSIDE = 0.8

interface InvasaoState {
  readonly v: 1
  readonly firedAt: number | null
  readonly alerted: readonly SavedPresence[]
}

/**
 * A person inside a zona. One event per presence: who was alerted does not fire again while he stays, also when the track is
 * lost and found again or the process is restarted. During the cooldown a new presence waits and fires at its end if it is
 * still inside. What never moved is no person: a poster or a mannequin never fires.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const watch = createWatch('invasao', config, before?.firedAt ?? null)
  const minFrames = watch.limit('min_quadros')
  // One moving frame may be a shadow that passes; two are asked for where the calibration asks for as many sightings.
  const minMotionFrames = Math.min(2, minFrames)
  const labels = ia('invasao').rotulos
  const zones = createZoneInertia(polygons(config.zonas))
  const qualifies = (track: ObservedTrack) => watch.qualifies(track) && zones.zoneOf(track.id) !== 'fora'
  const memory = createPresenceMemory(qualifies, before?.alerted)
  let promising: readonly number[] = []

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const people = tracks.filter((track) => labels.includes(track.rotulo))
    zones.update(people, streamMs)
    memory.observe(people, epochMs, streamMs)
    const alertedBoxes = people
      .filter((track) => !track.predicted && memory.isAlerted(track.id))
      .map((track): Box => track.box)
    const fresh = people
      .filter((track) => !memory.isAlerted(track.id) && qualifies(track))
      .filter((track) => !alertedBoxes.some((box) => insideShare(track.box, box) >= SAME_PERSON_INSIDE))
      .sort((a, b) => b.confianca * areaOf(b.box) - a.confianca * areaOf(a.box))
    const fired: Fired[] = []
    watch.mayFire(epochMs, streamMs)
    for (const track of fresh) {
      const ripe = track.hits >= minFrames && memory.motionFrames(track.id) >= minMotionFrames
      if (!ripe || !watch.mayFire(epochMs, streamMs)) continue
      watch.fired(epochMs, streamMs)
      memory.markAlerted(track, epochMs, streamMs)
      fired.push(objectEvent('invasao', track, zones))
    }
    const done = new Set(fired.flatMap((one) => one.trackIds))
    promising = fresh.map((track) => track.id).filter((id) => !done.has(id))
    return fired
  }

  return {
    ia: 'invasao',
    armed: watch.armed,
    update,
    promising: () => promising,
    state: (): InvasaoState => ({ v: 1, firedAt: watch.lastFiredAt(), alerted: memory.saved() }),
  }
}

/** A state of another version or a damaged one is no state: better one event again than none ever. */
function readState(raw: unknown): InvasaoState | null {
  const state = raw as Partial<InvasaoState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1 || !Array.isArray(state.alerted)) return null
  const firedAt = typeof state.firedAt === 'number' ? state.firedAt : null
  return { v: 1, firedAt, alerted: state.alerted.filter(isSavedPresence) }
}
