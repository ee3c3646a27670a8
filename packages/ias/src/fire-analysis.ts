import type { NomeIa } from './catalogue.ts'
import { type FireLabel, fireScore, weigh } from './fire-score.ts'
import { createFires, isSavedFire, type SavedFire } from './fires.ts'
import { areaOf, type Box, clip, type Point, polygons } from './geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from './observation.ts'
import { FIRES } from './stored-keys.ts'
import { createTrigger } from './trigger.ts'
import { createZoneInertia } from './zone-inertia.ts'

/** Differences between the two IAs of the fire model. */
export interface FireKind {
  readonly ia: NomeIa
  readonly label: FireLabel
  /** The point of the box that must be in the zone. */
  readonly anchor: (box: Box) => Point
  /** Largest distance between parts of one fire (fires.ts). */
  readonly reach: number
  /**
   * Lowest confidence of the detector, as a fraction of `conf`, regardless of other evidence. Without it any flickering
   * area of the right colour would fire.
   */
  readonly leastShare: number
  /** Likelihood ratio from the sizes of a track (areas as fractions of the frame); 1: neutral. */
  readonly growth: (first: number, now: number) => number
}

interface FireState {
  readonly v: 1
  readonly firedAt: number | null
  readonly [FIRES]: readonly SavedFire[]
}

/** One inference on one track of flames or smoke. */
interface Inference {
  readonly score: number
  readonly area: number
  /** Whether evidence from previous pictures was available. */
  readonly proved: boolean
}

interface Known {
  readonly sinceMs: number
  readonly firstArea: number
  /** The last inferences, oldest first; null: not detected. */
  readonly inferences: (Inference | null)[]
}

/** Lowest score of the last inference for which a picture is kept, as a fraction of `conf`. */
const PROMISING_SHARE = 0.5
/** A new stream has no previous pictures. After this time in ms, the detector decides without their evidence. */
const EVIDENCE_WAIT_MS = 4_000

/**
 * Flames or smoke in at least `min_quadros` of the last `2 · min_quadros` inferences, because some inferences miss
 * flames. The mean score of detector and evidence (fire-score.ts) must reach `conf`. One event covers everything that
 * burns at the moment. A continuing fire fires again, after the cooldown, only when it has at least doubled or was out
 * for two minutes. This also holds across a restart.
 */
export function createFireAnalysis(kind: FireKind, config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const trigger = createTrigger(kind.ia, config, before?.firedAt ?? null)
  const [conf, minArea, minInferences] = [
    trigger.limit('conf'),
    trigger.limit('area_min'),
    trigger.limit('min_quadros'),
  ]
  const zones = createZoneInertia(polygons(config.zonas), kind.anchor)
  const fires = createFires(kind.reach, before?.[FIRES])
  const known = new Map<number, Known>()
  let promising: readonly number[] = []

  const qualifies = (track: ObservedTrack) =>
    !track.predicted && track.confianca >= conf * kind.leastShare && areaOf(track.box) >= minArea

  const follow = (tracks: readonly ObservedTrack[], streamMs: number) => {
    const live = new Set(tracks.map(({ id }) => id))
    for (const id of known.keys()) if (!live.has(id)) known.delete(id)
    for (const track of tracks) {
      const entry = known.get(track.id) ?? { sinceMs: streamMs, firstArea: areaOf(track.box), inferences: [] }
      known.set(track.id, entry)
      entry.inferences.push(qualifies(track) ? inferenceOf(track) : null)
      if (entry.inferences.length > 2 * minInferences) entry.inferences.shift()
    }
  }

  const inferenceOf = ({ confianca, box, evidence: { fogo, objetos } }: ObservedTrack): Inference => ({
    score: fireScore(kind.label, confianca, fogo ?? null, objetos?.onPerson),
    area: areaOf(box),
    proved: fogo !== undefined,
  })

  /** Score of this track, 0–1; null: too few inferences yet. */
  const sureOf = (id: number, streamMs: number): number | null => {
    const entry = known.get(id)
    const found = entry?.inferences.filter((inference) => inference !== null) ?? []
    if (!entry || found.length < minInferences) return null
    const proved = found.filter((inference) => inference.proved)
    if (proved.length === 0 && streamMs - entry.sinceMs < EVIDENCE_WAIT_MS) return null
    // Inferences without evidence are ignored once there are inferences with evidence.
    const counted = proved.length > 0 ? proved : found
    return weigh(mean(counted.map(({ score }) => score)), kind.growth(entry.firstArea, mean(found.map((l) => l.area))))
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const own = tracks.filter(({ rotulo }) => rotulo === kind.label)
    zones.update(own, streamMs)
    follow(own, streamMs)
    const mayFire = trigger.mayFire(epochMs, streamMs)
    const burning = own.filter((track) => qualifies(track) && zones.zoneOf(track.id) !== 'fora')
    fires.observe(
      burning.map(({ box }) => box),
      epochMs,
      streamMs,
    )
    const fresh = burning.filter(({ box }) => fires.isNew(box))
    const ripe = burning
      .map((track) => ({ track, sure: sureOf(track.id, streamMs) ?? 0 }))
      .filter(({ sure }) => sure >= conf)
      .sort((a, b) => b.sure * areaOf(b.track.box) - a.sure * areaOf(a.track.box))
    const isReady = mayFire && ripe.some(({ track }) => fresh.includes(track))
    const lastScore = (id: number) => known.get(id)?.inferences.at(-1)?.score ?? 0
    promising = isReady ? [] : fresh.map(({ id }) => id).filter((id) => lastScore(id) >= conf * PROMISING_SHARE)
    if (!isReady) return []
    trigger.fired(epochMs, streamMs)
    fires.markAlerted(
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
    armed: trigger.armed,
    update,
    promising: () => promising,
    state: (): FireState => ({ v: 1, firedAt: trigger.lastFiredAt(), [FIRES]: fires.saved() }),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): FireState | null {
  const state = raw as Partial<FireState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1 || !Array.isArray(state[FIRES])) return null
  const firedAt = typeof state.firedAt === 'number' ? state.firedAt : null
  return { v: 1, firedAt, [FIRES]: state[FIRES].filter(isSavedFire) }
}
