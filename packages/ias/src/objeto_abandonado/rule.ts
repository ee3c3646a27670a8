import { ia } from '../catalogue.ts'
import { type Box, iou, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { isBox, readSavedVisits, type SavedVisit } from '../saved-visits.ts'
import { createVisits, type Visit } from '../visits.ts'
import { createWatch, objectEvent, tenths } from '../watch.ts'
import { createZoneInertia } from '../zone-inertia.ts'
import { createBystanders, type Person } from './bystanders.ts'

/** Whoever is this near, in his own heights (about 1.7 m), looks after the thing; its owner does so from twice as far. */
const REACH = 1
const OWNER_REACH = 2
/** Who stands within reach for this long, ms, is no passer-by. */
const STAYS_MS = 5_000
/** What is found within this time after the watch began was there before, ms. */
const BEGINNING_MS = 10_000
/** After a longer pause than this between frames, ms, the watch begins anew. */
const PAUSE_MS = 60_000
/** Longest time between frames that counts as looked at, ms: an empty picture is looked at every ten seconds. */
const LOOK_MS = 12_000
/** Covers its place by less than this, in two sightings in a row: it was moved. */
const PLACE_OVERLAP = 0.25
const MOVED_SIGHTINGS = 2
/** How long a thing that is not seen is known again where it lay, ms: nothing walks away by itself … */
const MEMORY_MS = 60_000
const SETTLED_MEMORY_MS = 24 * 3_600_000
/** … but somebody was near, and since then it has not been seen for this long: taken away. */
const TAKEN_MS = 60_000

interface Thing {
  /** Where it lies. */
  place: Box
  /** For how long it has lain there with nobody who looks after it, ms. */
  aloneMs: number
  /** Most sightings in a row. */
  hits: number
  /** It was there when the watch began, or came from nowhere: a part of the place until it is moved. */
  scenery: boolean
  told: boolean
}

/** What is not kept across a restart. */
interface Care {
  owner: Person | null
  /** For how long each has been within reach without a break, ms. */
  readonly near: Map<Person, number>
  movedSightings: number
  unseenMs: number
  touched: boolean
}

interface ObjetoState {
  readonly v: 1
  readonly firedAt: number | null
  readonly things: readonly SavedVisit<Thing>[]
}

/**
 * A bag, backpack or suitcase that lies still for `permanencia_s` with nobody who looks after it: neither its owner (who was nearest when
 * it appeared or was put down) within two body heights, nor anybody who stays within one. Their coming sets the time back to zero; passers-by
 * do not, but nothing fires while somebody is within reach. What lay there when the watch began (the Agenda's too), or was
 * found where nobody had been, is scenery until it moves. One event for each thing and place. Carried things never lie still.
 *
 * It rests on the detector's three luggage classes: a box, a parcel or a bag that it does not know is not seen, and small ones far away are not.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const watch = createWatch('objeto_abandonado', config, before?.firedAt ?? null)
  const [minFrames, minAloneMs] = [watch.limit('min_quadros'), watch.limit('permanencia_s') * 1000]
  const labels = ia('objeto_abandonado').rotulos
  const zones = createZoneInertia(polygons(config.zonas))
  const bystanders = createBystanders()
  const visits = createVisits<Thing>({
    saved: before?.things ?? [],
    sameSpotMs: ({ told, scenery }) => (told || scenery ? SETTLED_MEMORY_MS : MEMORY_MS),
    heightInWidths: 1,
  })
  const cares = new Map<Visit<Thing>, Care>()
  let beganMs: number | null = null
  let lastMs = 0
  let promising: readonly number[] = []

  const careOf = (visit: Visit<Thing>): Care => {
    const care = cares.get(visit) ?? { owner: null, near: new Map(), movedSightings: 0, unseenMs: 0, touched: false }
    cares.set(visit, care)
    return care
  }

  const begin = (track: ObservedTrack, epochMs: number, streamMs: number) => {
    const owner = bystanders.lately(track.box, OWNER_REACH)
    const scenery = owner === null || streamMs - (beganMs ?? streamMs) < BEGINNING_MS
    const thing = { place: track.box, aloneMs: 0, hits: track.hits, scenery, told: false }
    careOf(visits.begin(track, thing, epochMs, streamMs)).owner = owner
  }

  const sight = ({ box, hits }: ObservedTrack, visit: Visit<Thing>) => {
    const [thing, care] = [visit.data, careOf(visit)]
    thing.hits = Math.max(thing.hits, hits)
    care.unseenMs = 0
    care.touched = false
    care.movedSightings = iou(thing.place, box) < PLACE_OVERLAP ? care.movedSightings + 1 : 0
    if (care.movedSightings < MOVED_SIGHTINGS) return
    Object.assign(thing, { place: box, aloneMs: 0, scenery: false, told: false })
    care.movedSightings = 0
    care.owner = bystanders.lately(box, OWNER_REACH)
  }

  /** One frame of `elapsedMs` for a thing, seen or not. */
  const watchOver = (visit: Visit<Thing>, isSeen: boolean, elapsedMs: number) => {
    const [thing, care] = [visit.data, careOf(visit)]
    const around = bystanders.near(thing.place, OWNER_REACH)
    for (const person of care.near.keys()) if ((around.get(person) ?? OWNER_REACH) > REACH) care.near.delete(person)
    for (const [person, away] of around)
      if (away <= REACH) care.near.set(person, (care.near.get(person) ?? 0) + elapsedMs)
    const keeper = [...care.near].find(([, lasted]) => lasted >= STAYS_MS)?.[0]
    if (keeper !== undefined) care.owner = keeper
    const isAttended = care.owner !== null && around.has(care.owner)
    thing.aloneMs = isAttended ? 0 : thing.aloneMs + elapsedMs
    if (isSeen) return
    care.unseenMs += elapsedMs
    care.touched ||= care.near.size > 0
    if (thing.told && care.touched && care.unseenMs > TAKEN_MS) visits.forget(visit)
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const things = tracks.filter((track) => labels.includes(track.rotulo))
    const armed = watch.armed(epochMs)
    const pauseMs = beganMs === null ? 0 : streamMs - lastMs
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
      if (visit) sight(track, visit)
      else if (watch.qualifies(track)) begin(track, epochMs, streamMs)
    }
    const shown = new Map(seen.map((track) => [visits.of(track.id), track]))
    const elapsedMs = armed && pauseMs <= LOOK_MS ? pauseMs : 0
    for (const visit of [...visits.all()]) watchOver(visit, shown.has(visit), elapsedMs)
    const live = new Set(visits.all())
    for (const visit of cares.keys()) if (!live.has(visit)) cares.delete(visit)

    watch.mayFire(epochMs, streamMs)
    const fired: Fired[] = []
    const alone: number[] = []
    for (const [visit, track] of shown) {
      if (!visit || visit.data.told || visit.data.scenery || zones.zoneOf(track.id) === 'fora') continue
      const ripe = visit.data.aloneMs >= minAloneMs && visit.data.hits >= minFrames && careOf(visit).near.size === 0
      if (ripe && watch.qualifies(track) && watch.mayFire(epochMs, streamMs)) {
        watch.fired(epochMs, streamMs)
        visit.data.told = true
        fired.push(objectEvent('objeto_abandonado', track, zones, { duracao_s: tenths(visit.data.aloneMs) }))
      } else if (visit.data.aloneMs > 0) alone.push(track.id)
    }
    promising = alone
    return fired
  }

  return {
    ia: 'objeto_abandonado',
    armed: watch.armed,
    update,
    promising: () => promising,
    state: (): ObjetoState => ({ v: 1, firedAt: watch.lastFiredAt(), things: visits.saved() }),
  }
}

/** A state of another version or a damaged one is no state: better one event again than none ever. */
function readState(raw: unknown): ObjetoState | null {
  const state = raw as Partial<ObjetoState> | null | undefined
  const things = state?.v === 1 ? readSavedVisits(state.things, isThing) : null
  return things && { v: 1, firedAt: typeof state?.firedAt === 'number' ? state.firedAt : null, things }
}

function isThing(raw: unknown): raw is Thing {
  const { place, aloneMs, hits, scenery, told } = (raw ?? {}) as Partial<Thing>
  const flags = [scenery, told].every((value) => typeof value === 'boolean')
  return isBox(place) && flags && [aloneMs, hits].every((value) => Number.isFinite(value))
}
