import { ia } from '../catalogue.ts'
import type { Chance } from '../chance.ts'
import { chanceOf } from '../chances.ts'
import { areaOf, type Box, insideShare, iou, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { isBox, readSavedVisits, type SavedVisit } from '../saved-visits.ts'
import { ALERTED } from '../stored-keys.ts'
import { createTrigger, objectEvent } from '../trigger.ts'
import type { Visit } from '../visit.ts'
import { createVisits } from '../visits.ts'
import { createZoneInertia } from '../zone-inertia.ts'

/** Time without movement after which a vehicle is parked: longer than a stop at a gate or for a passenger. */
const PARKED_MS = 10_000
/** Longest time that an undetected parked vehicle (night, rain, occlusion) keeps its visit. */
const PARKED_MEMORY_MS = 24 * 3_600_000
const MEMORY_MS = 30_000
/** Overlap with its position below which a parked vehicle has left. */
const PLACE_OVERLAP = 0.5
/**
 * A track that begins with this share inside the position of an undetected parked vehicle is that vehicle, or a part of
 * it.
 */
const BEGAN_INSIDE = 0.6
/**
 * Two boxes with this overlap (intersection over union) are a double detection of one vehicle (as a car and as a
 * truck).
 */
const SAME_OVERLAP = 0.55
/**
 * Share of the frame from which on a box states no vehicle: it comes from snow or a covered lens. A vehicle that near
 * was smaller before.
 */
const LARGEST = 0.75
/** Time outside of the zone after which a moving vehicle may fire again. */
const LEFT_MS = 60_000

/** An alerted vehicle. */
interface Vehicle {
  /** Parking position; null: not parked. */
  place: Box | null
  outMs: number
}

interface VeiculoState {
  readonly v: 1
  readonly firedAt: number | null
  readonly [ALERTED]: readonly SavedVisit<Vehicle>[]
}

/**
 * A vehicle is in a zona. One event per vehicle and visit. A parked vehicle stays alerted while it is detected at least
 * once a day, also across restarts. A vehicle that is in the zone at the start of the analysis also fires once, because
 * the zone forbids its presence. During the cooldown a vehicle waits, and it fires at the end if it is still inside.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const trigger = createTrigger('veiculo', config, before?.firedAt ?? null)
  const minFrames = trigger.limit('min_quadros')
  const labels = ia('veiculo').rotulos
  const zones = createZoneInertia(polygons(config.zonas))
  const visits = createVisits<Vehicle>({
    saved: before?.[ALERTED] ?? [],
    sameSpotMs: ({ place }) => (place ? PARKED_MEMORY_MS : MEMORY_MS),
    heightInWidths: 1,
    confirms: ({ id }) => zones.zoneOf(id) !== 'fora',
  })
  /** The track that fired in each visit since the start. */
  const firstTracks = new WeakMap<Visit<Vehicle>, number>()
  let promising: readonly number[] = []
  let chances: readonly Chance[] = []

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
    trigger.mayFire(epochMs, streamMs)

    const alerted = seen.filter((track) => visits.of(track.id))
    const shown = new Set(seen.map((track) => visits.of(track.id)))
    const hidden = [...visits.all()].flatMap((visit) => (shown.has(visit) ? [] : (visit.data.place ?? [])))
    const fresh = seen
      .filter((track) => !visits.of(track.id) && trigger.qualifies(track) && zones.zoneOf(track.id) !== 'fora')
      .filter((track) => areaOf(track.box) < LARGEST && !hidden.some((place) => beganInside(track, place)))
      .sort((a, b) => b.confianca * areaOf(b.box) - a.confianca * areaOf(a.box))
    const fired: Fired[] = []
    for (const track of fresh) {
      if (isAgain(track, alerted) || track.hits < minFrames || !trigger.mayFire(epochMs, streamMs)) continue
      trigger.fired(epochMs, streamMs)
      firstTracks.set(visits.begin(track, { place: null, outMs: 0 }, epochMs, streamMs), track.id)
      alerted.push(track)
      fired.push(objectEvent('veiculo', track, zones))
    }
    promising = fresh.filter((track) => !visits.of(track.id)).map(({ id }) => id)
    chances = seen.flatMap((track) => {
      const visit = visits.of(track.id)
      if (track.hits < minFrames || (!visit && isPartOf(track, alerted, hidden))) return []
      const alertedTrack = visit ? (firstTracks.get(visit) ?? null) : null
      const inZone = zones.zoneOf(track.id) !== 'fora'
      return chanceOf(trigger, track, { epochMs, inZone, alerted: visit !== null, alertedTrack, fired })
    })
    return fired
  }

  const isPartOf = (track: ObservedTrack, alerted: readonly ObservedTrack[], hidden: readonly Box[]) =>
    isAgain(track, alerted) || hidden.some((place) => beganInside(track, place))

  const beganInside = (track: ObservedTrack, place: Box) => {
    const began = visits.beganAt(track.id)
    return began !== null && insideShare(began, place) >= BEGAN_INSIDE
  }

  return {
    ia: 'veiculo',
    armed: trigger.armed,
    update,
    promising: () => promising,
    chances: () => chances,
    state: (): VeiculoState => ({ v: 1, firedAt: trigger.lastFiredAt(), [ALERTED]: visits.saved() }),
  }
}

const isAgain = (track: ObservedTrack, alerted: readonly ObservedTrack[]): boolean =>
  alerted.some(({ box }) => iou(track.box, box) >= SAME_OVERLAP)

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): VeiculoState | null {
  const state = raw as Partial<VeiculoState> | null | undefined
  const alerted = state?.v === 1 ? readSavedVisits(state[ALERTED], isVehicle) : null
  return alerted && { v: 1, firedAt: typeof state?.firedAt === 'number' ? state.firedAt : null, [ALERTED]: alerted }
}

function isVehicle(raw: unknown): raw is Vehicle {
  const { place, outMs } = (raw ?? {}) as Partial<Vehicle>
  return Number.isFinite(outMs) && (place === null || isBox(place))
}
