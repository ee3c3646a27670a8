import { createAlertedVisits, isSavedAlertedVisit, type SavedAlertedVisit } from '../alerted-visits.ts'
import type { Detection } from '../detection.ts'
import { areaOf, clip, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { ALERTED } from '../stored-keys.ts'
import type { EpiEvidence } from '../tasks/epi.ts'
import { createTrigger, type Trigger } from '../trigger.ts'
import { createZoneInertia, type Place } from '../zone-inertia.ts'
import { type ItemEpi, itensEpi } from './catalogue.ts'
import { createItemEvidence, type ItemEvidence, missingInInference, rotuloFalta } from './item-evidence.ts'

/** Time to decide the second item after the first: one inference rarely recognises helmet and vest. */
const SETTLE_MS = 2_000
/** Required frames with motion, but at most `min_quadros`: one frame may be a passing shadow. */
const MOTION_FRAMES = 2

interface EpiState {
  readonly v: 1
  readonly firedAt: number | null
  /** The alerted visits of each item. */
  readonly [ALERTED]: Readonly<Record<ItemEpi, readonly SavedAlertedVisit[]>>
}

interface Person {
  readonly evidence: Readonly<Record<ItemEpi, ItemEvidence>>
  /** Alerted items that were worn afterwards; a new absence fires again. */
  readonly worn: Set<ItemEpi>
  /** Time since an item without event is missing, in stream ms. */
  missingSinceMs: number | null
}

/** The items that the calibration requires. */
const requiredBy = (trigger: Trigger): ItemEpi[] => itensEpi.filter((item) => trigger.limit(`exigir_${item}`) !== 0)

/**
 * A person in a zona lacks a required helmet or vest. Evidence accumulates per person and item (item-evidence.ts);
 * `min_quadros` counts inferences of the epi model on this person. One event for each visit and missing item. A helmet
 * that is taken off later, or put on and off again, fires then. A track that never moved is no person (a poster, a
 * mannequin); a worker who stands still moved earlier.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const trigger = createTrigger('epi', config, before?.firedAt ?? null)
  const [conf, minArea, minInferences] = [
    trigger.limit('conf'),
    trigger.limit('area_min'),
    trigger.limit('min_quadros'),
  ]
  const required = requiredBy(trigger)
  const zones = createZoneInertia(polygons(config.zonas))
  /**
   * Whether the track is detected in this frame, large enough and inside the zone. `conf` applies to the missing item,
   * not to the person: the tracker confirms the person.
   */
  const counts = (track: ObservedTrack) =>
    !track.predicted && areaOf(track.box) >= minArea && zones.zoneOf(track.id) !== 'fora'

  const memories = {
    capacete: createAlertedVisits(counts, before?.[ALERTED].capacete),
    colete: createAlertedVisits(counts, before?.[ALERTED].colete),
  }
  const people = new Map<number, Person>()
  let promising: readonly number[] = []

  const isReported = (item: ItemEpi, id: number) => memories[item].isAlerted(id) && !people.get(id)?.worn.has(item)

  const follow = (track: ObservedTrack, streamMs: number) => {
    const person = people.get(track.id) ?? newPerson(conf, minInferences)
    people.set(track.id, person)
    // Evidence from outside the zone does not count: helmets may hang at the entrance.
    if (zones.zoneOf(track.id) === 'fora') for (const item of itensEpi) person.evidence[item].forget()
    if (!track.evidence.epi || !counts(track)) return
    for (const item of itensEpi) {
      person.evidence[item].add(track.evidence.epi, streamMs)
      if (person.evidence[item].verdict() === 'usa' && memories[item].isAlerted(track.id)) person.worn.add(item)
    }
  }

  /** The missing items to report for this person now. */
  const missingOn = (track: ObservedTrack, person: Person, streamMs: number): ItemEpi[] => {
    const missing = required.filter((item) => person.evidence[item].verdict() === 'falta')
    const isNew = missing.some((item) => !isReported(item, track.id))
    person.missingSinceMs = isNew ? (person.missingSinceMs ?? streamMs) : null
    // This frame becomes the picture of the event, so it must show the missing items.
    if (!isNew || !track.evidence.epi) return []
    const shown = missingInInference(track.evidence.epi, missing, conf)
    const settled = required.every((item) => missing.includes(item) || !person.evidence[item].suspected())
    const complete = settled && shown.length === missing.length
    const waited = streamMs - (person.missingSinceMs ?? streamMs) >= SETTLE_MS
    return complete || (waited && shown.some((item) => !isReported(item, track.id))) ? missing : []
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const own = tracks.filter(({ rotulo }) => rotulo === 'person')
    const live = new Set(own.map(({ id }) => id))
    for (const id of people.keys()) if (!live.has(id)) people.delete(id)
    zones.update(own, streamMs)
    for (const item of itensEpi) memories[item].observe(own, epochMs, streamMs)
    for (const track of own) follow(track, streamMs)
    trigger.mayFire(epochMs, streamMs)
    const fired: Fired[] = []
    for (const track of own.filter(counts).sort((a, b) => areaOf(b.box) - areaOf(a.box))) {
      const person = people.get(track.id)
      const missing = person ? missingOn(track, person, streamMs) : []
      const moved = memories.capacete.motionFrames(track.id) >= Math.min(MOTION_FRAMES, minInferences)
      if (!person || !track.evidence.epi || missing.length === 0 || !moved || !trigger.mayFire(epochMs, streamMs))
        continue
      trigger.fired(epochMs, streamMs)
      for (const item of missing) {
        if (!memories[item].isAlerted(track.id)) memories[item].markAlerted(track, epochMs, streamMs)
        person.worn.delete(item)
      }
      person.missingSinceMs = null
      fired.push(eventOf(track, track.evidence.epi, missing, { person, zona: zones.zoneOf(track.id) }))
    }
    promising = own
      .filter(counts)
      .map(({ id }) => id)
      .filter(isPromising)
    return fired
  }

  const isPromising = (id: number) =>
    required.some((item) => people.get(id)?.evidence[item].suspected() && !isReported(item, id))

  return {
    ia: 'epi',
    armed: trigger.armed,
    update,
    promising: () => promising,
    state: (): EpiState => ({
      v: 1,
      firedAt: trigger.lastFiredAt(),
      [ALERTED]: { capacete: memories.capacete.saved(), colete: memories.colete.saved() },
    }),
  }
}

const newPerson = (conf: number, minInferences: number): Person => ({
  evidence: {
    capacete: createItemEvidence('capacete', conf, minInferences),
    colete: createItemEvidence('colete', conf, minInferences),
  },
  worn: new Set(),
  missingSinceMs: null,
})

const eventOf = (
  track: ObservedTrack,
  found: EpiEvidence,
  missing: readonly ItemEpi[],
  { person: { evidence }, zona }: { readonly person: Person; readonly zona: Place },
): Fired => {
  return {
    ia: 'epi',
    trackIds: [track.id],
    caixas: [{ rotulo: 'person', confianca: track.confianca, ...clip(track.box) }, ...boxesOf(missing, found)],
    confianca: Math.min(...missing.map((item) => evidence[item].confidence())),
    rotulos: missing.map((item) => rotuloFalta[item]),
    zona: zona === 'fora' ? null : zona,
    detalhes: { faltam: [...missing], ...(missing.includes('capacete') && { cabeca: coverOf(evidence.capacete) }) },
  }
}

const coverOf = (head: ItemEvidence) => (head.capped() ? 'bone' : 'descoberta')

const boxesOf = (missing: readonly ItemEpi[], { caixas }: EpiEvidence): Detection[] =>
  caixas.filter(({ rotulo }) => missing.some((item) => rotuloFalta[item] === rotulo)).map((caixa) => ({ ...caixa }))

/** A damaged state or one of another version is ignored: a repeated event is better than a missed one. */
function readState(raw: unknown): EpiState | null {
  const state = raw as Partial<EpiState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1) return null
  const { capacete, colete } = state[ALERTED] ?? {}
  if (!Array.isArray(capacete) || !Array.isArray(colete)) return null
  return {
    v: 1,
    firedAt: typeof state.firedAt === 'number' ? state.firedAt : null,
    [ALERTED]: { capacete: capacete.filter(isSavedAlertedVisit), colete: colete.filter(isSavedAlertedVisit) },
  }
}
