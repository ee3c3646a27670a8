import { ia } from '../catalogue.ts'
import { type Box, clip, iou, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { isBox, readSavedVisits, type SavedVisit } from '../saved-visits.ts'
import { ALERTED } from '../stored-keys.ts'
import { STILL_LABELS } from '../tasks/parados.ts'
import { createTrigger, objectEvent, tenths } from '../trigger.ts'
import type { Visit } from '../visit.ts'
import { createVisits } from '../visits.ts'
import { createZoneInertia } from '../zone-inertia.ts'
import { createBystanders, type Person } from './bystanders.ts'
import { belongsTo, isStill, OWNER_TOUCH, withoutDoubles } from './still.ts'

/**
 * Distance up to which a person attends an object, in heights of the person (about 1.7 m); its owner up to twice as
 * far.
 */
const REACH = 1
const OWNER_REACH = 2
/** Time within reach after which a person no longer counts as a passer-by. */
const STAYS_MS = 5_000
/** Objects found within this time after the start of the analysis were there before. */
const BEGINNING_MS = 10_000
/** Pause between frames after which the analysis starts again. */
const PAUSE_MS = 60_000
/** Longest time between two frames that counts as observed: an empty picture is analysed every ten seconds. */
const OBSERVED_GAP_MS = 12_000
/** An object was moved if its overlap with its position is lower than this in consecutive detections. */
const PLACE_OVERLAP = 0.25
const MOVED_DETECTIONS = 2
/** Time without detection after which an object in the same position is still the same object. */
const MEMORY_MS = 60_000
const SETTLED_MEMORY_MS = 24 * 3_600_000
/** Time until the rule requests another frame of an object that is due already: a cooldown or a person delays it. */
const RETRY_MS = 60_000
/** Time without detection after which an object counts as taken away if a person was near. */
const TAKEN_MS = 60_000

interface Thing {
  /** Position of the object. */
  place: Box
  /** Time for which it has lain unattended. */
  aloneMs: number
  /** Largest number of consecutive detections. */
  hits: number
  /** Present at the start of the analysis, or found where no person was: part of the background until it is moved. */
  scenery: boolean
  [ALERTED]: boolean
}

/** People near one object; lost at a restart. */
interface Attendance {
  owner: Person | null
  /** Box of the owner when the object appeared; null: unknown, or no owner. */
  ownerBox: Box | null
  /** Time that each person has been within reach without a break, in ms. */
  readonly near: Map<Person, number>
  movedDetections: number
  unseenMs: number
  touched: boolean
}

interface ObjetoState {
  readonly v: 1
  readonly firedAt: number | null
  readonly things: readonly SavedVisit<Thing>[]
}

/**
 * An object of any kind lies still and unattended for `permanencia_s`. It is attended while its owner is within
 * two body heights, or another person stays within one. The owner is the nearest person when the object appears or is
 * put down. Attendance resets the time; passers-by do not, but no event fires while a person is within reach. Objects
 * that are there at the start of the analysis or of the Agenda, or appear where no person was, are scenery until they
 * move. One event for each object and position. Carried objects never lie still.
 *
 * Objects come from the background model (any object, as `objeto`) and from the detector's three luggage classes; one
 * position raises one event. An object of the background model needs a person who touched it and is larger than it.
 * With the threshold `retirados`, an object taken from the scene raises an event, too.
 *
 * Limits: after a restart the background model does not know an object that was there before.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const trigger = createTrigger('objeto_abandonado', config, before?.firedAt ?? null)
  const [minFrames, minAloneMs] = [trigger.limit('min_quadros'), trigger.limit('permanencia_s') * 1000]
  const removed = trigger.limit('retirados') > 0 ? [STILL_LABELS.retirado] : []
  const labels: readonly string[] = [...ia('objeto_abandonado').rotulos, STILL_LABELS.deixado, ...removed]
  const zones = createZoneInertia(polygons(config.zonas))
  const bystanders = createBystanders()
  const visits = createVisits<Thing>({
    saved: before?.things ?? [],
    sameSpotMs: ({ [ALERTED]: alerted, scenery }) => (alerted || scenery ? SETTLED_MEMORY_MS : MEMORY_MS),
    heightInWidths: 1,
  })
  const attendances = new Map<Visit<Thing>, Attendance>()
  let beganMs: number | null = null
  let lastMs = 0
  let promising: readonly number[] = []
  let wakesAtMs: number | null = null

  const attendanceOf = (visit: Visit<Thing>): Attendance => {
    const attendance = attendances.get(visit) ?? {
      owner: null,
      ownerBox: null,
      near: new Map(),
      movedDetections: 0,
      unseenMs: 0,
      touched: false,
    }
    attendances.set(visit, attendance)
    return attendance
  }

  const begin = (track: ObservedTrack, epochMs: number, streamMs: number) => {
    const lately = bystanders.lately(track.box, isStill(track) ? OWNER_TOUCH : OWNER_REACH)
    const owner = lately && belongsTo(track, lately.box) ? lately : null
    const scenery = owner === null || streamMs - (beganMs ?? streamMs) < BEGINNING_MS
    // The background model finds an object some seconds after it was put down.
    const nearMs = owner && isStill(track) ? bystanders.lastNear(track.box, owner.person, OWNER_REACH) : null
    const aloneMs = Math.min(track.stillMs, streamMs - (nearMs ?? streamMs))
    const thing = { place: track.box, aloneMs, hits: track.hits, scenery, [ALERTED]: false }
    const attendance = attendanceOf(visits.begin(track, thing, epochMs, streamMs))
    attendance.owner = owner?.person ?? null
    attendance.ownerBox = owner?.box ?? null
  }

  const follow = ({ box, hits }: ObservedTrack, visit: Visit<Thing>) => {
    const [thing, attendance] = [visit.data, attendanceOf(visit)]
    thing.hits = Math.max(thing.hits, hits)
    attendance.unseenMs = 0
    attendance.touched = false
    attendance.movedDetections = iou(thing.place, box) < PLACE_OVERLAP ? attendance.movedDetections + 1 : 0
    if (attendance.movedDetections < MOVED_DETECTIONS) return
    Object.assign(thing, { place: box, aloneMs: 0, scenery: false, [ALERTED]: false })
    attendance.movedDetections = 0
    attendance.owner = bystanders.lately(box, OWNER_REACH)?.person ?? null
  }

  /** Updates one object by a frame of `elapsedMs`, with or without a detection. */
  const advance = (visit: Visit<Thing>, isSeen: boolean, elapsedMs: number) => {
    const [thing, attendance] = [visit.data, attendanceOf(visit)]
    const around = bystanders.near(thing.place, OWNER_REACH)
    for (const person of attendance.near.keys())
      if ((around.get(person) ?? OWNER_REACH) > REACH) attendance.near.delete(person)
    for (const [person, away] of around)
      if (away <= REACH) attendance.near.set(person, (attendance.near.get(person) ?? 0) + elapsedMs)
    const keeper = [...attendance.near].find(([, lasted]) => lasted >= STAYS_MS)?.[0]
    if (keeper !== undefined) attendance.owner = keeper
    const isAttended = attendance.owner !== null && around.has(attendance.owner)
    thing.aloneMs = isAttended ? 0 : thing.aloneMs + elapsedMs
    if (isSeen) return
    attendance.unseenMs += elapsedMs
    attendance.touched ||= attendance.near.size > 0
    if (thing[ALERTED] && attendance.touched && attendance.unseenMs > TAKEN_MS) visits.forget(visit)
  }

  const update = ({ tracks, evidence, epochMs, streamMs }: Observation): Fired[] => {
    const things = withoutDoubles(tracks.filter((track) => labels.includes(track.rotulo)))
    const armed = trigger.armed(epochMs)
    const sinceMs = beganMs === null ? 0 : streamMs - lastMs
    // The background model watches between two inferences.
    const watchedMs = Math.min(sinceMs, evidence.parados?.watchedMs ?? 0)
    const pauseMs = sinceMs - watchedMs
    if (beganMs === null || !armed || pauseMs > PAUSE_MS) beganMs = streamMs
    lastMs = streamMs
    bystanders.observe(
      tracks.filter(({ rotulo }) => rotulo === 'person'),
      epochMs,
      streamMs,
    )
    zones.update(things, streamMs)
    visits.observe(things, epochMs, streamMs)
    const seen = things.filter((track) => !track.predicted)
    for (const track of seen) {
      const visit = visits.of(track.id)
      if (visit) follow(track, visit)
      else if (trigger.qualifies(track)) begin(track, epochMs, streamMs)
    }
    const shown = new Map(seen.map((track) => [visits.of(track.id), track]))
    const elapsedMs = armed ? watchedMs + (pauseMs <= OBSERVED_GAP_MS ? pauseMs : 0) : 0
    for (const visit of [...visits.all()]) advance(visit, shown.has(visit), elapsedMs)
    const live = new Set(visits.all())
    for (const visit of attendances.keys()) if (!live.has(visit)) attendances.delete(visit)

    trigger.mayFire(epochMs, streamMs)
    const fired: Fired[] = []
    const alone: number[] = []
    wakesAtMs = null
    for (const [visit, track] of shown) {
      if (!visit || visit.data[ALERTED] || visit.data.scenery || zones.zoneOf(track.id) === 'fora') continue
      const ripe =
        visit.data.aloneMs >= minAloneMs && visit.data.hits >= minFrames && attendanceOf(visit).near.size === 0
      if (ripe && trigger.qualifies(track) && trigger.mayFire(epochMs, streamMs)) {
        trigger.fired(epochMs, streamMs)
        visit.data[ALERTED] = true
        const dono = attendanceOf(visit).ownerBox
        const detalhes = { duracao_s: tenths(visit.data.aloneMs), ...(dono && { dono: clip(dono) }) }
        fired.push(objectEvent('objeto_abandonado', track, zones, detalhes))
      } else if (visit.data.aloneMs > 0) {
        alone.push(track.id)
        const remainingMs = minAloneMs - visit.data.aloneMs
        const wakeMs = streamMs + (remainingMs > 0 ? remainingMs : RETRY_MS)
        wakesAtMs = Math.min(wakesAtMs ?? wakeMs, wakeMs)
      }
    }
    promising = alone
    return fired
  }

  return {
    ia: 'objeto_abandonado',
    armed: trigger.armed,
    update,
    promising: () => promising,
    wakesAtMs: () => wakesAtMs,
    state: (): ObjetoState => ({ v: 1, firedAt: trigger.lastFiredAt(), things: visits.saved() }),
  }
}

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): ObjetoState | null {
  const state = raw as Partial<ObjetoState> | null | undefined
  const things = state?.v === 1 ? readSavedVisits(state.things, isThing) : null
  return things && { v: 1, firedAt: typeof state?.firedAt === 'number' ? state.firedAt : null, things }
}

function isThing(raw: unknown): raw is Thing {
  const { place, aloneMs, hits, scenery, [ALERTED]: alerted } = (raw ?? {}) as Partial<Thing>
  const flags = [scenery, alerted].every((value) => typeof value === 'boolean')
  return isBox(place) && flags && [aloneMs, hits].every((value) => Number.isFinite(value))
}
