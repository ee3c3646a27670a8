import { ia } from '../catalogue.ts'
import { areaOf, clip, iou, type Point, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { createWatch } from '../watch.ts'
import { createZoneInertia } from '../zone-inertia.ts'
import { createHeadcount, type Headcount } from './headcount.ts'

/** Seen with the confidence asked for this often, somebody counts from then on. */
const ESTABLISHED = 2
/** Who is not seen still counts for this long, ms: hidden by another, or missed by the detector. */
const HIDDEN_MS = 1_500
/** Somebody unseen whose place another box covers this much has been found again under another number. */
const SAME_OVERLAP = 0.5
/** Fraction of the box that must have moved once: a mannequin is not in a crowd. */
const MOTION_MIN = 0.05
/** A candidate holds this many boxes at most (contracts, candidate.ts). */
const MOST_BOXES = 256
/** So many people of a crowd that is growing are worth a picture. */
const PORTRAITS = 3

interface AglomeracaoState {
  readonly v: 1
  readonly firedAt: number | null
  /** Outlines of the zones whose gathering was told of, and when it was looked at last, epoch ms. */
  readonly told: readonly { readonly zona: string; readonly seenAt: number }[]
}

interface Person {
  sightings: number
  moved: boolean
  seenMs: number
}

/**
 * `min_pessoas` people or more at once in one zona (each zone for itself; without zones, in the picture). They are counted over the last
 * `min_quadros` frames (headcount.ts), so that one person more or less in single frames neither makes nor ends a gathering. One event a
 * gathering, until it has dissolved; also across a restart. `detalhes.pessoas` and the boxes are those of the frame that fired.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const watch = createWatch('aglomeracao', config, before?.firedAt ?? null)
  const [minFrames, minPeople] = [watch.limit('min_quadros'), watch.limit('min_pessoas')]
  const labels = ia('aglomeracao').rotulos
  const outlines = polygons(config.zonas)
  const inertia = createZoneInertia(outlines)
  const people = new Map<number, Person>()
  const places: { zone: number | null; outline: string; count: Headcount }[] = (
    outlines.length === 0 ? [null] : [...outlines.keys()]
  ).map((zone) => {
    const outline = outlineOf(zone === null ? [] : (outlines[zone] ?? []))
    const toldAt = before?.told.find(({ zona }) => zona === outline)?.seenAt ?? null
    return { zone, outline, count: createHeadcount(minPeople, minFrames, toldAt) }
  })
  let promising: readonly number[] = []

  const follow = (track: ObservedTrack, streamMs: number) => {
    const person = people.get(track.id) ?? { sightings: 0, moved: false, seenMs: streamMs }
    people.set(track.id, person)
    if (track.predicted) return
    person.seenMs = streamMs
    person.moved ||= track.motion >= MOTION_MIN
    if (watch.qualifies(track)) person.sightings++
  }

  /** Those who count, the most telling first. */
  const countable = (tracks: readonly ObservedTrack[], streamMs: number) => {
    const established = tracks
      .filter(({ id }) => {
        const person = people.get(id)
        return person?.moved && person.sightings >= ESTABLISHED && streamMs - person.seenMs <= HIDDEN_MS
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
    watch.mayFire(epochMs, streamMs)
    const present = countable(own, streamMs)
    const fired: Fired[] = []
    const growing: number[] = []
    for (const { zone, count } of places) {
      const here = present.filter(({ id }) => inertia.zoneOf(id) === zone)
      count.follow(here.length, epochMs, streamMs)
      const isNews = count.gathered() && !count.isTold()
      if (isNews && here.length >= minPeople && watch.mayFire(epochMs, streamMs)) {
        watch.fired(epochMs, streamMs)
        count.tell()
        fired.push(event(zone, here))
      } else if (!count.isTold() && here.length >= minPeople - 1)
        growing.push(...here.slice(0, PORTRAITS).map(({ id }) => id))
    }
    promising = growing
    return fired
  }

  return {
    ia: 'aglomeracao',
    armed: watch.armed,
    update,
    promising: () => promising,
    state: (): AglomeracaoState => ({
      v: 1,
      firedAt: watch.lastFiredAt(),
      told: places.flatMap(({ outline, count }) => {
        const seenAt = count.toldSeenAt()
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

/** Names a zone by where it lies: a zone that was drawn anew is another. */
const outlineOf = (polygon: readonly Point[]): string =>
  polygon.map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`).join(' ')

/** A state of another version or a damaged one is no state: better one event again than none ever. */
function readState(raw: unknown): AglomeracaoState | null {
  const state = raw as Partial<AglomeracaoState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1 || !Array.isArray(state.told)) return null
  const told = state.told.filter((one) => typeof one?.zona === 'string' && Number.isFinite(one.seenAt))
  return { v: 1, firedAt: typeof state.firedAt === 'number' ? state.firedAt : null, told }
}
