import { ia } from '../catalogue.ts'
import type { Chance } from '../chances.ts'
import { areaOf, clip, insideShare, iou, lineEnds } from '../geometry.ts'
import { createLineCrossing, type Direction, type LineCrossing } from '../line-crossing.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { createTrigger } from '../trigger.ts'

/** Time after a crossing within which the object must reach the required confidence and number of frames. */
const PENDING_MS = 2_000
/** Boxes of two labels this much inside each other are one object: a rider and the bicycle, a driver and the car. */
const SAME_INSIDE = 0.5
/** Two boxes of one label with this overlap (intersection over union) are a double detection of one object. */
const SAME_OVERLAP = 0.7
/** Distance to the line below which an object may cross soon, in widths of the object. */
const NEAR = 4
/** Values of `direcao` in the catalogue. */
const BOTH = 0
const codes = { ab: 1, ba: 2 } as const

interface CruzamentoState {
  readonly v: 1
  readonly firedAt: number | null
}

interface Crosser {
  readonly line: LineCrossing
  /**
   * Whether the object has met the thresholds of the calibration at least once. It need not meet them at the line,
   * where it may be half hidden or leave the picture.
   */
  proven: boolean
  /** Highest confidence of a frame that met the other thresholds. */
  best: number
  passages: number
  crossed: { readonly direction: Direction; readonly atMs: number; counted: boolean } | null
}

/**
 * A person or a vehicle crosses the line in a direction that the calibration allows. Every object that crosses is a
 * separate event (a rider and the bicycle are one). A crossing during the cooldown never raises an event; the first one
 * after it fires. Objects that cross in one frame and direction share an event if the cooldown allows only one. Zones
 * do not restrict this IA. Only the cooldown survives a restart: each object starts again at its position, unless its
 * trail is known.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const trigger = createTrigger('cruzamento_linha', config, readState(restored).firedAt)
  const [minFrames, wanted] = [trigger.limit('min_quadros'), trigger.limit('direcao')]
  const labels = ia('cruzamento_linha').rotulos
  const ends = lineEnds(config.linha)
  const crossers = new Map<number, Crosser>()
  const minArea = trigger.limit('area_min')
  let promising: readonly number[] = []
  let chances: readonly Chance[] = []

  const follow = (track: ObservedTrack, ends: NonNullable<ReturnType<typeof lineEnds>>, streamMs: number) => {
    const crosser = crossers.get(track.id) ?? begin(track, ends, streamMs)
    crossers.set(track.id, crosser)
    if (crosser.crossed && streamMs - crosser.crossed.atMs > PENDING_MS) crosser.crossed = null
    if (track.predicted) return
    crosser.proven ||= track.hits >= minFrames && trigger.qualifies(track)
    if (track.hits >= minFrames && areaOf(track.box) >= minArea) crosser.best = Math.max(crosser.best, track.confianca)
    const direction = crosser.line.follow(track.box, streamMs)
    if (!direction) return
    crosser.crossed = { direction, atMs: streamMs, counted: false }
    crosser.passages++
  }

  /** Whether the object has crossed, is proven, and is not counted as a part of another object. */
  const isNew = (track: ObservedTrack, objects: readonly ObservedTrack[]) => {
    const crosser = crossers.get(track.id)
    if (!crosser?.crossed || crosser.crossed.counted || !crosser.proven || track.predicted) return false
    crosser.crossed.counted = true
    const { direction } = crosser.crossed
    if (wanted !== BOTH && wanted !== codes[direction]) return false
    return !isPart(track, objects, direction)
  }

  /** Whether the object is a part of another one whose crossing is counted. */
  const isPart = (track: ObservedTrack, objects: readonly ObservedTrack[], direction: Direction) =>
    objects.some((other) => {
      const crossed = other.id === track.id ? null : crossers.get(other.id)?.crossed
      return crossed?.counted && crossed.direction === direction && isSame(track, other)
    })

  /** While a crossing is pending: it fires when the object has shown the required confidence. */
  const chanceAtLine = (
    track: ObservedTrack,
    objects: readonly ObservedTrack[],
    groups: readonly { readonly tracks: readonly ObservedTrack[] }[],
    epochMs: number,
  ): Chance[] => {
    const crosser = crossers.get(track.id)
    if (!crosser?.crossed || track.predicted || crosser.best === 0) return []
    const { direction } = crosser.crossed
    if (wanted !== BOTH && wanted !== codes[direction]) return []
    const group = groups.find(({ tracks }) => tracks.includes(track))
    if (!group && isPart(track, objects, direction)) return []
    // The event of a group names its first object.
    if (group && group.tracks[0] !== track) return []
    const seen = { confianca: crosser.best, area: Math.max(minArea, areaOf(track.box)), passage: crosser.passages }
    const inside = { ...track, confianca: crosser.best }
    const stop = group ? null : trigger.stopOf(inside, { epochMs, inZone: true, alerted: false })
    return [{ trackId: track.id, visitTrackId: track.id, ...seen, stop }]
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    trigger.mayFire(epochMs, streamMs)
    chances = []
    if (!ends) return []
    const objects = tracks.filter((track) => labels.includes(track.rotulo))
    const live = new Set(objects.map((track) => track.id))
    for (const id of crossers.keys()) if (!live.has(id)) crossers.delete(id)
    for (const track of objects) follow(track, ends, streamMs)

    const groups: { direction: Direction; tracks: ObservedTrack[] }[] = []
    for (const track of objects) {
      const direction = crossers.get(track.id)?.crossed?.direction
      if (!direction || !isNew(track, objects)) continue
      if (trigger.mayFire(epochMs, streamMs)) {
        trigger.fired(epochMs, streamMs)
        groups.push({ direction, tracks: [track] })
      } else groups.find((group) => group.direction === direction)?.tracks.push(track)
    }
    chances = objects.flatMap((track) => chanceAtLine(track, objects, groups, epochMs))
    promising = objects.filter(({ id }) => (crossers.get(id)?.line.away() ?? NEAR) < NEAR).map(({ id }) => id)
    return groups.map(({ direction, tracks }) => event(direction, tracks))
  }

  return {
    ia: 'cruzamento_linha',
    armed: (epochMs) => ends !== null && trigger.armed(epochMs),
    update,
    promising: () => promising,
    chances: () => chances,
    state: (): CruzamentoState => ({ v: 1, firedAt: trigger.lastFiredAt() }),
  }
}

/**
 * A track may get its label only after it has moved, or be older than this analysis. Its trail shows on which side of
 * the line it started. A crossing on the trail is in the past and raises no event.
 */
function begin(
  { trail = [] }: ObservedTrack,
  ends: NonNullable<ReturnType<typeof lineEnds>>,
  streamMs: number,
): Crosser {
  const line = createLineCrossing(ends)
  for (const { atMs, box } of trail) if (atMs < streamMs) line.follow(box, atMs)
  return { line, proven: false, best: 0, passages: 0, crossed: null }
}

const isSame = (a: ObservedTrack, b: ObservedTrack): boolean =>
  a.rotulo === b.rotulo ? iou(a.box, b.box) >= SAME_OVERLAP : insideShare(a.box, b.box) >= SAME_INSIDE

const event = (direction: Direction, tracks: readonly ObservedTrack[]): Fired => ({
  ia: 'cruzamento_linha',
  trackIds: tracks.map(({ id }) => id),
  caixas: tracks.map(({ rotulo, confianca, box }) => ({ rotulo, confianca, ...clip(box) })),
  confianca: Math.max(...tracks.map(({ confianca }) => confianca)),
  rotulos: [...new Set(tracks.map(({ rotulo }) => rotulo))],
  zona: null,
  detalhes: { direcao: direction },
})

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): CruzamentoState {
  const state = raw as Partial<CruzamentoState> | null | undefined
  const known = typeof state === 'object' && state !== null && state.v === 1
  return { v: 1, firedAt: known && typeof state.firedAt === 'number' ? state.firedAt : null }
}
