import { createAlertedVisits, isSavedAlertedVisit, type SavedAlertedVisit } from '../alerted-visits.ts'
import { ia } from '../catalogue.ts'
import type { Chance } from '../chance.ts'
import { chanceOf } from '../chances.ts'
import { areaOf, type Box, insideShare, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { createTrigger, objectEvent } from '../trigger.ts'
import { createZoneInertia } from '../zone-inertia.ts'

/** Share of a box inside another from which both show the same person (arms or head detected separately). */
const SAME_PERSON_INSIDE = 0.8

interface InvasaoState {
  readonly v: 1
  readonly firedAt: number | null
  readonly alerted: readonly SavedAlertedVisit[]
}

/**
 * A person is inside a zona. One event per visit: an alerted person does not fire again during the visit, also after a
 * lost track or a restart. During the cooldown a new visit waits, and it fires at the end if the person is still
 * inside. A track without any motion is no person: a poster or a mannequin never fires.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const trigger = createTrigger('invasao', config, before?.firedAt ?? null)
  const minFrames = trigger.limit('min_quadros')
  // Required frames with motion, but at most `min_quadros`: one frame may be a passing shadow.
  const minMotionFrames = Math.min(2, minFrames)
  const labels = ia('invasao').rotulos
  const zones = createZoneInertia(polygons(config.zonas))
  const qualifies = (track: ObservedTrack) => trigger.qualifies(track) && zones.zoneOf(track.id) !== 'fora'
  const memory = createAlertedVisits(qualifies, before?.alerted)
  let promising: readonly number[] = []
  let chances: readonly Chance[] = []

  const isRipe = (track: ObservedTrack) => track.hits >= minFrames && memory.motionFrames(track.id) >= minMotionFrames
  const isPartOf = (track: ObservedTrack, alertedBoxes: readonly Box[]) =>
    !memory.isAlerted(track.id) && alertedBoxes.some((box) => insideShare(track.box, box) >= SAME_PERSON_INSIDE)

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const people = tracks.filter((track) => labels.includes(track.rotulo))
    zones.update(people, streamMs)
    memory.observe(people, epochMs, streamMs)
    for (const track of people) if (!track.predicted && isRipe(track)) memory.settle(track, epochMs, streamMs)
    const alertedBoxes = people
      .filter((track) => !track.predicted && memory.isAlerted(track.id))
      .map((track): Box => track.box)
    const fresh = people
      .filter((track) => !memory.isAlerted(track.id) && qualifies(track) && !isPartOf(track, alertedBoxes))
      .sort((a, b) => b.confianca * areaOf(b.box) - a.confianca * areaOf(a.box))
    const whole = people.filter((track) => !track.predicted && isRipe(track) && !isPartOf(track, alertedBoxes))
    const fired: Fired[] = []
    trigger.mayFire(epochMs, streamMs)
    for (const track of fresh) {
      if (!isRipe(track) || !trigger.mayFire(epochMs, streamMs)) continue
      trigger.fired(epochMs, streamMs)
      memory.markAlerted(track, epochMs, streamMs)
      fired.push(objectEvent('invasao', track, zones))
    }
    const done = new Set(fired.flatMap((one) => one.trackIds))
    promising = fresh.map((track) => track.id).filter((id) => !done.has(id))
    chances = whole.flatMap((track) => {
      const { id } = track
      const visit = { alerted: memory.isAlerted(id), alertedTrack: memory.alertedTrack(id) }
      return chanceOf(trigger, track, { epochMs, inZone: zones.zoneOf(id) !== 'fora', ...visit, fired })
    })
    return fired
  }

  return {
    ia: 'invasao',
    armed: trigger.armed,
    update,
    promising: () => promising,
    chances: () => chances,
    state: (): InvasaoState => ({ v: 1, firedAt: trigger.lastFiredAt(), alerted: memory.saved() }),
  }
}

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): InvasaoState | null {
  const state = raw as Partial<InvasaoState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1 || !Array.isArray(state.alerted)) return null
  const firedAt = typeof state.firedAt === 'number' ? state.firedAt : null
  return { v: 1, firedAt, alerted: state.alerted.filter(isSavedAlertedVisit) }
}
