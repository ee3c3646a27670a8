import { ia } from '../catalogue.ts'
import { areaOf, type Box, insideShare, iou, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { isBox, readSavedVisits, type SavedVisit } from '../saved-visits.ts'
import { createVisits, type Visit } from '../visits.ts'
import { createWatch, objectEvent } from '../watch.ts'
import { createZoneInertia } from '../zone-inertia.ts'

/** Standing for this long it is parked, ms: longer than at a gate or to let somebody out. */
const PARKED_MS = 10_000
/** A parked vehicle that is not seen (the night, rain, another one before it) is remembered for this long where it stands, ms. */
const PARKED_MEMORY_MS = 24 * 3_600_000
const MEMORY_MS = 30_000
/** A parked vehicle whose box covers its place by less than this has driven off. */
const PLACE_OVERLAP = 0.5
/** What begins to be seen this much inside the place of a parked vehicle that is out of sight is that vehicle, or a part of it. */
const BEGAN_INSIDE = 0.6
/** Two boxes that cover each other this much are one vehicle found twice (as a car and as a truck). */
const SAME_OVERLAP = 0.55
/** Outside of the zone for this long, ms, a vehicle that moves about in the picture may be told of again. */
const LEFT_MS = 60_000

/** A vehicle that was told of. */
interface Vehicle {
  /** Where it is parked; null: it is not. */
  place: Box | null
  outMs: number
}

interface VeiculoState {
  readonly v: 1
  readonly firedAt: number | null
  readonly told: readonly SavedVisit<Vehicle>[]
}

/**
 * A vehicle in a zona. One event for each vehicle and stay: a parked one stays told of for as long as it is seen now and then, at
 * least once a day, also across restarts. A vehicle that stood in the zone when the watch began fires too, once: that it stands there is what
 * the zone forbids. During the cooldown a vehicle waits and fires at its end if it is still inside.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const watch = createWatch('veiculo', config, before?.firedAt ?? null)
  const minFrames = watch.limit('min_quadros')
  const labels = ia('veiculo').rotulos
  const zones = createZoneInertia(polygons(config.zonas))
  const visits = createVisits<Vehicle>({
    saved: before?.told ?? [],
    sameSpotMs: ({ place }) => (place ? PARKED_MEMORY_MS : MEMORY_MS),
    heightInWidths: 1,
    confirms: ({ id }) => zones.zoneOf(id) !== 'fora',
  })
  let promising: readonly number[] = []

  const follow = (track: ObservedTrack, visit: Visit<Vehicle>) => {
    const vehicle = visit.data
    if (track.stillMs >= PARKED_MS) vehicle.place = track.box
    else if (vehicle.place && iou(vehicle.place, track.box) < PLACE_OVERLAP) vehicle.place = null
    vehicle.outMs = zones.zoneOf(track.id) === 'fora' && !vehicle.place ? vehicle.outMs + visit.sinceBeforeMs : 0
    if (vehicle.outMs > LEFT_MS) visits.forget(visit)
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const vehicles = tracks.filter((track) => labels.includes(track.rotulo))
    zones.update(vehicles, streamMs)
    visits.observe(vehicles, epochMs, streamMs)
    const seen = vehicles.filter((track) => !track.predicted)
    for (const track of seen) {
      const visit = visits.of(track.id)
      if (visit) follow(track, visit)
    }
    watch.mayFire(epochMs, streamMs)

    const told = seen.filter((track) => visits.of(track.id))
    const shown = new Set(seen.map((track) => visits.of(track.id)))
    const hidden = [...visits.all()].flatMap((visit) => (shown.has(visit) ? [] : (visit.data.place ?? [])))
    const fresh = seen
      .filter((track) => !visits.of(track.id) && watch.qualifies(track) && zones.zoneOf(track.id) !== 'fora')
      .filter((track) => !hidden.some((place) => beganInside(track, place)))
      .sort((a, b) => b.confianca * areaOf(b.box) - a.confianca * areaOf(a.box))
    const fired: Fired[] = []
    for (const track of fresh) {
      const again = told.some(({ box }) => iou(track.box, box) >= SAME_OVERLAP)
      if (again || track.hits < minFrames || !watch.mayFire(epochMs, streamMs)) continue
      watch.fired(epochMs, streamMs)
      visits.begin(track, { place: null, outMs: 0 }, epochMs, streamMs)
      told.push(track)
      fired.push(objectEvent('veiculo', track, zones))
    }
    promising = fresh.filter((track) => !visits.of(track.id)).map(({ id }) => id)
    return fired
  }

  const beganInside = (track: ObservedTrack, place: Box) => {
    const began = visits.beganAt(track.id)
    return began !== null && insideShare(began, place) >= BEGAN_INSIDE
  }

  return {
    ia: 'veiculo',
    armed: watch.armed,
    update,
    promising: () => promising,
    state: (): VeiculoState => ({ v: 1, firedAt: watch.lastFiredAt(), told: visits.saved() }),
  }
}

/** A state of another version or a damaged one is no state: better one event again than none ever. */
function readState(raw: unknown): VeiculoState | null {
  const state = raw as Partial<VeiculoState> | null | undefined
  const told = state?.v === 1 ? readSavedVisits(state.told, isVehicle) : null
  return told && { v: 1, firedAt: typeof state?.firedAt === 'number' ? state.firedAt : null, told }
}

function isVehicle(raw: unknown): raw is Vehicle {
  const { place, outMs } = (raw ?? {}) as Partial<Vehicle>
  return Number.isFinite(outMs) && (place === null || isBox(place))
}
