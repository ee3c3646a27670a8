import type { NomeIa } from './catalogue.ts'
import { createFirePlaces, isSavedPlace, type SavedPlace } from './fire-places.ts'
import { type FireLabel, fireScore, weigh } from './fire-score.ts'
import { areaOf, type Box, clip, type Point, polygons } from './geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from './observation.ts'
import { createWatch } from './watch.ts'
import { createZoneInertia } from './zone-inertia.ts'

/** What tells the two IAs of the fire model apart. */
export interface FireKind {
  readonly ia: NomeIa
  readonly label: FireLabel
  /** The point of the box that must be in the zone. */
  readonly anchor: (box: Box) => Point
  /** How far what belongs to one fire may lie apart (fire-places.ts). */
  readonly reach: number
  /**
   * The detector must be at least this sure, as a fraction of `conf`, whatever else speaks for it: without it any place that is restless and
   * of the right colour would do.
   */
  readonly leastShare: number
  /** What the sizes of a track say (areas as fractions of the frame): a likelihood ratio, 1 for nothing. */
  readonly growth: (first: number, now: number) => number
}

interface FireState {
  readonly v: 1
  readonly firedAt: number | null
  readonly places: readonly SavedPlace[]
}

/** One look at one flame. */
interface Sight {
  readonly score: number
  readonly area: number
  /** The pictures before had something to say of the place. */
  readonly proved: boolean
}

interface Known {
  readonly sinceMs: number
  readonly firstArea: number
  /** The last looks, oldest first; null: not found in that look. */
  readonly looks: (Sight | null)[]
}

/** Worth keeping a picture of: at least this sure in the last look, as a fraction of `conf`. */
const PROMISING_SHARE = 0.5
/** A new stream has no pictures before. They are waited for this long, ms; then the detector decides alone. */
const EVIDENCE_WAIT_MS = 4_000

/**
 * Flames or smoke that were found in at least `min_quadros` of the last `2 · min_quadros` looks (flames are now and then not found), with at
 * least `conf` in the mean of what detector and evidence say together (fire-score.ts). One event for all that burns at the moment; a fire
 * that goes on is told of again, after the cooldown, only when it has at least doubled or was out for two minutes; also across a restart.
 */
export function createFireAnalysis(kind: FireKind, config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const watch = createWatch(kind.ia, config, before?.firedAt ?? null)
  const [conf, minArea, minLooks] = [watch.limit('conf'), watch.limit('area_min'), watch.limit('min_quadros')]
  const zones = createZoneInertia(polygons(config.zonas), kind.anchor)
  const places = createFirePlaces(kind.reach, before?.places)
  const known = new Map<number, Known>()
  let promising: readonly number[] = []

  const qualifies = (track: ObservedTrack) =>
    !track.predicted && track.confianca >= conf * kind.leastShare && areaOf(track.box) >= minArea

  const follow = (tracks: readonly ObservedTrack[], streamMs: number) => {
    const live = new Set(tracks.map(({ id }) => id))
    for (const id of known.keys()) if (!live.has(id)) known.delete(id)
    for (const track of tracks) {
      const entry = known.get(track.id) ?? { sinceMs: streamMs, firstArea: areaOf(track.box), looks: [] }
      known.set(track.id, entry)
      entry.looks.push(qualifies(track) ? sightOf(track) : null)
      if (entry.looks.length > 2 * minLooks) entry.looks.shift()
    }
  }

  const sightOf = ({ confianca, box, evidence: { fogo, objetos } }: ObservedTrack): Sight => ({
    score: fireScore(kind.label, confianca, fogo ?? null, objetos?.onPerson),
    area: areaOf(box),
    proved: fogo !== undefined,
  })

  /** How sure it is of this track, 0–1; null: too few looks yet. */
  const sureOf = (id: number, streamMs: number): number | null => {
    const entry = known.get(id)
    const found = entry?.looks.filter((look) => look !== null) ?? []
    if (!entry || found.length < minLooks) return null
    const proved = found.filter((look) => look.proved)
    if (proved.length === 0 && streamMs - entry.sinceMs < EVIDENCE_WAIT_MS) return null
    // What was seen before there was evidence says nothing that the evidence does not say better.
    const telling = proved.length > 0 ? proved : found
    return weigh(mean(telling.map(({ score }) => score)), kind.growth(entry.firstArea, mean(found.map((l) => l.area))))
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const own = tracks.filter(({ rotulo }) => rotulo === kind.label)
    zones.update(own, streamMs)
    follow(own, streamMs)
    const mayFire = watch.mayFire(epochMs, streamMs)
    const burning = own.filter((track) => qualifies(track) && zones.zoneOf(track.id) !== 'fora')
    places.observe(
      burning.map(({ box }) => box),
      epochMs,
      streamMs,
    )
    const news = burning.filter(({ box }) => places.isNews(box))
    const ripe = burning
      .map((track) => ({ track, sure: sureOf(track.id, streamMs) ?? 0 }))
      .filter(({ sure }) => sure >= conf)
      .sort((a, b) => b.sure * areaOf(b.track.box) - a.sure * areaOf(a.track.box))
    const fires = mayFire && ripe.some(({ track }) => news.includes(track))
    const lastScore = (id: number) => known.get(id)?.looks.at(-1)?.score ?? 0
    promising = fires ? [] : news.map(({ id }) => id).filter((id) => lastScore(id) >= conf * PROMISING_SHARE)
    if (!fires) return []
    watch.fired(epochMs, streamMs)
    places.tell(
      ripe.map(({ track }) => track.box),
      epochMs,
      streamMs,
    )
    return [event(ripe)]
  }

  const event = (ripe: readonly { track: ObservedTrack; sure: number }[]): Fired => {
    const zona = ripe[0] ? zones.zoneOf(ripe[0].track.id) : null
    return {
      ia: kind.ia,
      trackIds: ripe.map(({ track }) => track.id),
      caixas: ripe.map(({ track }) => ({
        rotulo: kind.label,
        confianca: track.confianca,
        ...clip(track.box),
      })),
      confianca: Math.max(...ripe.map(({ sure }) => sure)),
      rotulos: [kind.label],
      zona: zona === 'fora' ? null : zona,
      detalhes: {},
    }
  }

  return {
    ia: kind.ia,
    armed: watch.armed,
    update,
    promising: () => promising,
    state: (): FireState => ({ v: 1, firedAt: watch.lastFiredAt(), places: places.saved() }),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** A state of another version or a damaged one is no state: better one event again than none ever. */
function readState(raw: unknown): FireState | null {
  const state = raw as Partial<FireState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1 || !Array.isArray(state.places)) return null
  const firedAt = typeof state.firedAt === 'number' ? state.firedAt : null
  return { v: 1, firedAt, places: state.places.filter(isSavedPlace) }
}
