import { ia } from '../catalogue.ts'
import { areaOf, clip, iou, type Point, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { ALERTED } from '../stored-keys.ts'
import { createTrigger } from '../trigger.ts'
import { createZoneInertia } from '../zone-inertia.ts'
import { createHeadcount, type Headcount } from './headcount.ts'

/** Number of detections with sufficient confidence after which a person counts. */
const ESTABLISHED = 2
/** A person without detection still counts for this long: occluded, or missed by the detector. */
const HIDDEN_MS = 1_500
/** A predicted box with this overlap (intersection over union) with a detected one is the same person. */
const SAME_OVERLAP = 0.5
/** Fraction of the box that must have moved once: mannequins do not count. */
const MOTION_MIN = 0.05
/** Largest number of boxes in a candidate (contracts, candidate.ts). */
const MOST_BOXES = 256
/** Number of people of a growing group whose pictures are kept. */
const PORTRAITS = 3

interface AglomeracaoState {
  readonly v: 1
  readonly firedAt: number | null
  /** Outline of each zone with an alerted gathering, and its last frame, in epoch ms. */
  readonly [ALERTED]: readonly { readonly zona: string; readonly seenAt: number }[]
}

interface Person {
  detections: number
  moved: boolean
  seenMs: number
}

/**
 * At least `min_pessoas` people at once in one zona (each zone separately; without zones, in the picture). Counted over
 * the last `min_quadros` frames (headcount.ts), so that one person more or less in single frames has no effect. One
 * event per gathering until it has dissolved, also across a restart. `detalhes.pessoas` and the boxes come from the
 * frame that fired.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const trigger = createTrigger('aglomeracao', config, before?.firedAt ?? null)
  const [minFrames, minPeople] = [trigger.limit('min_quadros'), trigger.limit('min_pessoas')]
  const labels = ia('aglomeracao').rotulos
  const outlines = polygons(config.zonas)
  const inertia = createZoneInertia(outlines)
  const people = new Map<number, Person>()
  const counters: { zone: number | null; outline: string; count: Headcount }[] = (
    outlines.length === 0 ? [null] : [...outlines.keys()]
  ).map((zone) => {
    const outline = outlineOf(zone === null ? [] : (outlines[zone] ?? []))
    const alertedAt = before?.[ALERTED].find(({ zona }) => zona === outline)?.seenAt ?? null
    return { zone, outline, count: createHeadcount(minPeople, minFrames, alertedAt) }
  })
  let promising: readonly number[] = []

  const follow = (track: ObservedTrack, streamMs: number) => {
    const person = people.get(track.id) ?? { detections: 0, moved: false, seenMs: streamMs }
    people.set(track.id, person)
    if (track.predicted) return
    person.seenMs = streamMs
    person.moved ||= track.motion >= MOTION_MIN
    if (trigger.qualifies(track)) person.detections++
  }

  /** The people who count, largest confidence times area first. */
  const countable = (tracks: readonly ObservedTrack[], streamMs: number) => {
    const established = tracks
      .filter(({ id }) => {
        const person = people.get(id)
        return person?.moved && person.detections >= ESTABLISHED && streamMs - person.seenMs <= HIDDEN_MS
      })
      .sort((a, b) => b.confianca * areaOf(b.box) - a.confianca * areaOf(a.box))
    const seen = established.filter((track) => !track.predicted)
    return established.filter(
      (track) => !track.predicted || !seen.some(({ box }) => iou(track.box, box) >= SAME_OVERLAP),
    )
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const own = tracks.filter((track) => labels.includes(track.rotulo))
    const live = new Set(own.map(({ id }) => id))
    for (const id of people.keys()) if (!live.has(id)) people.delete(id)
    inertia.update(own, streamMs)
    for (const track of own) follow(track, streamMs)
    trigger.mayFire(epochMs, streamMs)
    const present = countable(own, streamMs)
    const fired: Fired[] = []
    const growing: number[] = []
    for (const { zone, count } of counters) {
      const here = present.filter(({ id }) => inertia.zoneOf(id) === zone)
      count.follow(here.length, epochMs, streamMs)
      const isNew = count.gathered() && !count.isAlerted()
      if (isNew && here.length >= minPeople && trigger.mayFire(epochMs, streamMs)) {
        trigger.fired(epochMs, streamMs)
        count.markAlerted()
        fired.push(event(zone, here))
      } else if (!count.isAlerted() && here.length >= minPeople - 1)
        growing.push(...here.slice(0, PORTRAITS).map(({ id }) => id))
    }
    promising = growing
    return fired
  }

  return {
    ia: 'aglomeracao',
    armed: trigger.armed,
    update,
    promising: () => promising,
    state: (): AglomeracaoState => ({
      v: 1,
      firedAt: trigger.lastFiredAt(),
      [ALERTED]: counters.flatMap(({ outline, count }) => {
        const seenAt = count.alertedSeenAt()
        return seenAt === null ? [] : [{ zona: outline, seenAt }]
      }),
    }),
  }
}

const event = (zone: number | null, people: readonly ObservedTrack[]): Fired => ({
  ia: 'aglomeracao',
  trackIds: people.map(({ id }) => id),
  caixas: people.slice(0, MOST_BOXES).map(({ rotulo, confianca, box }) => ({ rotulo, confianca, ...clip(box) })),
  confianca: people.reduce((sum, { confianca }) => sum + confianca, 0) / people.length,
  rotulos: [...new Set(people.map(({ rotulo }) => rotulo))],
  zona: zone,
  detalhes: { pessoas: people.length },
})

/** Identifies a zone by its outline: a redrawn zone is another zone. */
const outlineOf = (polygon: readonly Point[]): string =>
  polygon.map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`).join(' ')

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): AglomeracaoState | null {
  const state = raw as Partial<AglomeracaoState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1 || !Array.isArray(state[ALERTED])) return null
  const alerted = state[ALERTED].filter((one) => typeof one?.zona === 'string' && Number.isFinite(one.seenAt))
  return { v: 1, firedAt: typeof state.firedAt === 'number' ? state.firedAt : null, [ALERTED]: alerted }
}
