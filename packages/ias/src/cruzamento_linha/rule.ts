import { ia } from '../catalogue.ts'
import { clip, insideShare, iou, lineEnds } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { createWatch } from '../watch.ts'
import { createLineCrossing, type Direction, type LineCrossing } from './line-crossing.ts'

/** Who has crossed must be seen well enough, and often enough, within this time, ms. */
const PENDING_MS = 2_000
/** Boxes of two labels this much inside each other are one: a rider and the bicycle, a driver and the car. */
const SAME_INSIDE = 0.5
/** Two boxes of one label that cover each other this much are one object found twice. */
const SAME_OVERLAP = 0.7
/** Nearer to the line than this, in widths of the object, it may cross soon. */
const NEAR = 4
/** `direcao` as the catalogue counts it. */
const BOTH = 0
const codes = { ab: 1, ba: 2 } as const

interface CruzamentoState {
  readonly v: 1
  readonly firedAt: number | null
}

interface Crosser {
  readonly line: LineCrossing
  /** It was once seen as well, and in as many frames in a row, as the calibration asks; on the line it may be half hidden, or leave the picture. */
  proven: boolean
  crossed: { readonly direction: Direction; readonly atMs: number; counted: boolean } | null
}

/**
 * A person or a vehicle that crosses the line, in the direction that the calibration asks for. Everybody who crosses is an event of his own
 * (a rider and what he rides are one). During the cooldown a crossing makes no event and none later: the first one after it fires. Those who cross
 * in one frame, in one direction, share its event where the cooldown lets only one through. Zones do not restrict it.
 * What it remembers does not outlive the process but for the cooldown: who stood anywhere at a restart begins there, unless his way is known.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const watch = createWatch('cruzamento_linha', config, readState(restored).firedAt)
  const [minFrames, wanted] = [watch.limit('min_quadros'), watch.limit('direcao')]
  const labels = ia('cruzamento_linha').rotulos
  const ends = lineEnds(config.linha)
  const crossers = new Map<number, Crosser>()
  let promising: readonly number[] = []

  const follow = (track: ObservedTrack, ends: NonNullable<ReturnType<typeof lineEnds>>, streamMs: number) => {
    const crosser = crossers.get(track.id) ?? begin(track, ends, streamMs)
    crossers.set(track.id, crosser)
    if (crosser.crossed && streamMs - crosser.crossed.atMs > PENDING_MS) crosser.crossed = null
    if (track.predicted) return
    crosser.proven ||= track.hits >= minFrames && watch.qualifies(track)
    const direction = crosser.line.follow(track.box, streamMs)
    if (direction) crosser.crossed = { direction, atMs: streamMs, counted: false }
  }

  /** Crossed, proven, and not yet counted as a part of another. */
  const isNew = (track: ObservedTrack, objects: readonly ObservedTrack[]) => {
    const crosser = crossers.get(track.id)
    if (!crosser?.crossed || crosser.crossed.counted || !crosser.proven || track.predicted) return false
    crosser.crossed.counted = true
    const { direction } = crosser.crossed
    if (wanted !== BOTH && wanted !== codes[direction]) return false
    return !objects.some((other) => {
      const crossed = other.id === track.id ? null : crossers.get(other.id)?.crossed
      return crossed?.counted && crossed.direction === direction && isSame(track, other)
    })
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    watch.mayFire(epochMs, streamMs)
    if (!ends) return []
    const objects = tracks.filter((track) => labels.includes(track.rotulo))
    const live = new Set(objects.map((track) => track.id))
    for (const id of crossers.keys()) if (!live.has(id)) crossers.delete(id)
    for (const track of objects) follow(track, ends, streamMs)

    const groups: { direction: Direction; tracks: ObservedTrack[] }[] = []
    for (const track of objects) {
      const direction = crossers.get(track.id)?.crossed?.direction
      if (!direction || !isNew(track, objects)) continue
      if (watch.mayFire(epochMs, streamMs)) {
        watch.fired(epochMs, streamMs)
        groups.push({ direction, tracks: [track] })
      } else groups.find((group) => group.direction === direction)?.tracks.push(track)
    }
    promising = objects.filter(({ id }) => (crossers.get(id)?.line.away() ?? NEAR) < NEAR).map(({ id }) => id)
    return groups.map(({ direction, tracks }) => event(direction, tracks))
  }

  return {
    ia: 'cruzamento_linha',
    armed: (epochMs) => ends !== null && watch.armed(epochMs),
    update,
    promising: () => promising,
    state: (): CruzamentoState => ({ v: 1, firedAt: watch.lastFiredAt() }),
  }
}

/**
 * What is known to be a vehicle only once it has driven, or was followed before the watch began, has come from somewhere: its way up to now says
 * on which side of the line it began. What it crossed on that way is past and makes no event.
 */
function begin(
  { trail = [] }: ObservedTrack,
  ends: NonNullable<ReturnType<typeof lineEnds>>,
  streamMs: number,
): Crosser {
  const line = createLineCrossing(ends)
  for (const { atMs, box } of trail) if (atMs < streamMs) line.follow(box, atMs)
  return { line, proven: false, crossed: null }
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

/** A state of another version or a damaged one is no state: better one event again than none ever. */
function readState(raw: unknown): CruzamentoState {
  const state = raw as Partial<CruzamentoState> | null | undefined
  const known = typeof state === 'object' && state !== null && state.v === 1
  return { v: 1, firedAt: known && typeof state.firedAt === 'number' ? state.firedAt : null }
}
