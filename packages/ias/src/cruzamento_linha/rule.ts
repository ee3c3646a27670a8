import { ia } from '../catalogue.ts'
import type { Chance } from '../chance.ts'
import { areaOf, clip, insideShare, iou, lineEnds } from '../geometry.ts'
import type { Direction } from '../line-crossing.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { createTrigger } from '../trigger.ts'
import { createVisits } from '../visits.ts'
import { type Crosser, type CrosserOptions, type Crossing, createCrosser } from './crosser.ts'

/** Boxes of two labels this much inside each other are one object: a rider and the bicycle, a driver and the car. */
const SAME_INSIDE = 0.5
/** Two boxes of one label with this overlap (intersection over union) are a double detection of one object. */
const SAME_OVERLAP = 0.7
/** Ratio between `conf` and the confidence that is required on the other side of the line. */
const OTHER_SIDE = 2
/** Distance to the line below which an object may cross soon, in widths of the object. */
const NEAR = 4
/** Values of `direcao` in the catalogue. */
const BOTH = 0
const codes = { ab: 1, ba: 2 } as const

interface CruzamentoState {
  readonly v: 1
  readonly firedAt: number | null
}

/**
 * A person or a vehicle crosses the line in a direction that the calibration allows. Every object that crosses is a
 * separate event (a rider and the bicycle are one). The cooldown applies to one object and one direction. An object
 * needs a detection with `conf` on one side of the line. The other side needs one with half of it: the border of the
 * frame may cut the object off. A new track near the last position of a lost one
 * continues its object (visits.ts). A change of identity at the line thus neither loses nor repeats a crossing. Zones
 * do not restrict this IA. After a restart each object starts again at its position, unless its trail is known.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  // The previous release reads this time as the cooldown of the camera.
  let firedAt = readState(restored).firedAt
  const trigger = createTrigger('cruzamento_linha', config, null)
  const [conf, wanted] = [trigger.limit('conf'), trigger.limit('direcao')]
  const [minArea, minFrames] = [trigger.limit('area_min'), trigger.limit('min_quadros')]
  const cooldownMs = trigger.limit('resfriamento_s') * 1000
  const labels = ia('cruzamento_linha').rotulos
  const ends = lineEnds(config.linha)
  const visits = createVisits<Crosser>({ fits: ({ rotulo }, track) => areAlike(rotulo, track.rotulo) })
  /** Objects whose tracks have no visit yet, by track. */
  const newcomers = new Map<number, Crosser>()
  let promising: readonly number[] = []
  let chances: readonly Chance[] = []

  const crosserOf = (trackId: number): Crosser | null => visits.of(trackId)?.data ?? newcomers.get(trackId) ?? null

  const follow = (track: ObservedTrack, options: CrosserOptions, epochMs: number, streamMs: number) => {
    const known = visits.of(track.id)?.data ?? newcomers.get(track.id)
    const crosser = known ?? createCrosser(track, streamMs, options)
    crosser.follow(track, streamMs)
    if (visits.of(track.id)) newcomers.delete(track.id)
    else if (crosser.established()) {
      visits.begin(track, crosser, epochMs, streamMs)
      newcomers.delete(track.id)
    } else newcomers.set(track.id, crosser)
  }

  /** The crossing of a detected object in a direction that counts. */
  const crossingOf = (track: ObservedTrack): Crossing | null => {
    const crossing = track.predicted ? null : (crosserOf(track.id)?.crossed() ?? null)
    return crossing && (wanted === BOTH || wanted === codes[crossing.direction]) ? crossing : null
  }

  /** Whether the object is a part of another one whose crossing is counted. */
  const isPart = (track: ObservedTrack, objects: readonly ObservedTrack[], direction: Direction) =>
    objects.some((other) => {
      const crossed = other.id === track.id ? null : crosserOf(other.id)?.crossed()
      return crossed?.counted && crossed.direction === direction && isSame(track, other)
    })

  /** While a crossing is pending: it fires when the object has shown the required confidence. */
  const chanceAtLine = (track: ObservedTrack, hasFired: boolean, epochMs: number): Chance[] => {
    const crossing = crossingOf(track)
    if (!crossing) return []
    const confianca = confidenceOf(crossing)
    if (confianca === 0 || !crosserOf(track.id)?.established()) return []
    const seen = { confianca, area: Math.max(minArea, areaOf(track.box)), passage: crossing.passage }
    const stop = hasFired ? null : trigger.stopOf({ ...track, confianca }, { epochMs, inZone: true, alerted: false })
    return [{ trackId: track.id, visitTrackId: track.id, ...seen, stop }]
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    chances = []
    if (!ends) return []
    const options = { ends, minArea, minFrames, cooldownMs }
    const objects = tracks.filter((track) => labels.includes(track.rotulo))
    const live = new Set(objects.map((track) => track.id))
    for (const id of newcomers.keys()) if (!live.has(id)) newcomers.delete(id)
    visits.observe(objects, epochMs, streamMs)
    for (const track of objects) if (!track.predicted) follow(track, options, epochMs, streamMs)

    const events: Fired[] = []
    const parts = new Set<number>()
    for (const track of objects) {
      const crossing = crossingOf(track)
      const crosser = crosserOf(track.id)
      if (!crossing || !crosser?.established()) continue
      if (isPart(track, objects, crossing.direction)) parts.add(track.id)
      if (crossing.counted || confidenceOf(crossing) < conf) continue
      crossing.counted = true
      if (parts.has(track.id)) continue
      if (!trigger.armed(epochMs) || !crosser.hasCooled(crossing.direction, streamMs)) continue
      crosser.fired(crossing.direction, streamMs)
      firedAt = epochMs
      events.push(event(crossing.direction, track))
    }
    const fired = new Set(events.flatMap(({ trackIds }) => trackIds))
    chances = objects
      .filter(({ id }) => fired.has(id) || !parts.has(id))
      .flatMap((track) => chanceAtLine(track, fired.has(track.id), epochMs))
    promising = objects.filter(({ id }) => (crosserOf(id)?.away() ?? NEAR) < NEAR).map(({ id }) => id)
    return events
  }

  return {
    ia: 'cruzamento_linha',
    armed: (epochMs) => ends !== null && trigger.armed(epochMs),
    update,
    promising: () => promising,
    chances: () => chances,
    state: (): CruzamentoState => ({ v: 1, firedAt }),
  }
}

/** Highest `conf` with which the crossing counts. */
const confidenceOf = ({ before, beyond }: Crossing): number =>
  Math.min(Math.max(before, beyond), OTHER_SIDE * Math.min(before, beyond))

/** A vehicle may change its label between two tracks; a person stays a person. */
const areAlike = (a: string, b: string): boolean => (a === 'person') === (b === 'person')

const isSame = (a: ObservedTrack, b: ObservedTrack): boolean =>
  a.rotulo === b.rotulo ? iou(a.box, b.box) >= SAME_OVERLAP : insideShare(a.box, b.box) >= SAME_INSIDE

const event = (direction: Direction, { id, rotulo, confianca, box }: ObservedTrack): Fired => ({
  ia: 'cruzamento_linha',
  trackIds: [id],
  caixas: [{ rotulo, confianca, ...clip(box) }],
  confianca,
  rotulos: [rotulo],
  zona: null,
  detalhes: { direcao: direction },
})

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): CruzamentoState {
  const state = raw as Partial<CruzamentoState> | null | undefined
  const known = typeof state === 'object' && state !== null && state.v === 1
  return { v: 1, firedAt: known && typeof state.firedAt === 'number' ? state.firedAt : null }
}
