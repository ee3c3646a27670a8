import type { Detection } from '../detection.ts'
import { areaOf, clip, polygons } from '../geometry.ts'
import type { Analysis, AnalysisConfig, Fired, Observation, ObservedTrack } from '../observation.ts'
import { createPresenceMemory, isSavedPresence, type SavedPresence } from '../presence.ts'
import type { EpiSight } from '../tasks/epi.ts'
import { createWatch, type Watch } from '../watch.ts'
import { createZoneInertia } from '../zone-inertia.ts'
import { type ItemEpi, itensEpi } from './catalogue.ts'
import { createItemEvidence, type ItemEvidence, missingInLook, rotuloFalta } from './item-evidence.ts'

/** Helmet and vest are seldom recognised in the same look: who lacks one is given this long until the other is known, ms. */
const SETTLE_MS = 2_000
/** Where the calibration asks for as many sightings, so many frames with motion are asked for: one may be a shadow that passes. */
const MOTION_FRAMES = 2

interface EpiState {
  readonly v: 1
  readonly firedAt: number | null
  /** Who was told of, for each item. */
  readonly told: Readonly<Record<ItemEpi, readonly SavedPresence[]>>
}

interface Person {
  readonly evidence: Readonly<Record<ItemEpi, ItemEvidence>>
  /** Items that were told of and seen worn since: missing again is another matter. */
  readonly worn: Set<ItemEpi>
  /** Since when something is known to be missing that nobody was told of. */
  missingSinceMs: number | null
}

/** The items that the calibration asks for. */
const requiredBy = (watch: Watch): ItemEpi[] => itensEpi.filter((item) => watch.limit(`exigir_${item}`) !== 0)

/**
 * A person in a zona without the helmet or the vest that is asked for there. Looks are gathered for each person and item
 * (epi-evidence.ts); `min_quadros` counts looks of the epi model at this person. One event for each presence and what is missing: who
 * takes the helmet off later fires then, and who puts it on and off again fires again. What never moved is no person (a
 * poster, a mannequin); a worker who stands still has moved at some time while he was followed.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const watch = createWatch('epi', config, before?.firedAt ?? null)
  const [conf, minArea, minLooks] = [watch.limit('conf'), watch.limit('area_min'), watch.limit('min_quadros')]
  const required = requiredBy(watch)
  const zones = createZoneInertia(polygons(config.zonas))
  /** Seen in this frame, large enough, inside. `conf` is asked of what is missing, not of the person, whom the tracker vouches for. */
  const counts = (track: ObservedTrack) =>
    !track.predicted && areaOf(track.box) >= minArea && zones.zoneOf(track.id) !== 'fora'

  const told = {
    capacete: createPresenceMemory(counts, before?.told.capacete),
    colete: createPresenceMemory(counts, before?.told.colete),
  }
  const people = new Map<number, Person>()
  let promising: readonly number[] = []

  const isTold = (item: ItemEpi, id: number) => told[item].isAlerted(id) && !people.get(id)?.worn.has(item)

  const follow = (track: ObservedTrack, streamMs: number) => {
    const person = people.get(track.id) ?? newPerson(conf, minLooks)
    people.set(track.id, person)
    // What somebody wore on the way there does not count: the helmet hangs at the door.
    if (zones.zoneOf(track.id) === 'fora') for (const item of itensEpi) person.evidence[item].forget()
    if (!track.evidence.epi || !counts(track)) return
    for (const item of itensEpi) {
      person.evidence[item].look(track.evidence.epi, streamMs)
      if (person.evidence[item].verdict() === 'usa' && told[item].isAlerted(track.id)) person.worn.add(item)
    }
  }

  /** What this person is to be told of now, or nothing. */
  const missingOn = (track: ObservedTrack, person: Person, streamMs: number): ItemEpi[] => {
    const missing = required.filter((item) => person.evidence[item].verdict() === 'falta')
    const isNews = missing.some((item) => !isTold(item, track.id))
    person.missingSinceMs = isNews ? (person.missingSinceMs ?? streamMs) : null
    // The picture of the event is this frame: what it says must be seen in it.
    if (!isNews || !track.evidence.epi) return []
    const shown = missingInLook(track.evidence.epi, missing, conf)
    const settled = required.every((item) => missing.includes(item) || !person.evidence[item].suspected())
    const complete = settled && shown.length === missing.length
    const waited = streamMs - (person.missingSinceMs ?? streamMs) >= SETTLE_MS
    return complete || (waited && shown.some((item) => !isTold(item, track.id))) ? missing : []
  }

  const update = ({ tracks, epochMs, streamMs }: Observation): Fired[] => {
    const own = tracks.filter(({ rotulo }) => rotulo === 'person')
    const live = new Set(own.map(({ id }) => id))
    for (const id of people.keys()) if (!live.has(id)) people.delete(id)
    zones.update(own, streamMs)
    for (const item of itensEpi) told[item].observe(own, epochMs, streamMs)
    for (const track of own) follow(track, streamMs)
    watch.mayFire(epochMs, streamMs)
    const fired: Fired[] = []
    for (const track of own.filter(counts).sort((a, b) => areaOf(b.box) - areaOf(a.box))) {
      const person = people.get(track.id)
      const missing = person ? missingOn(track, person, streamMs) : []
      const moved = told.capacete.motionFrames(track.id) >= Math.min(MOTION_FRAMES, minLooks)
      if (!person || !track.evidence.epi || missing.length === 0 || !moved || !watch.mayFire(epochMs, streamMs))
        continue
      watch.fired(epochMs, streamMs)
      for (const item of missing) {
        if (!told[item].isAlerted(track.id)) told[item].markAlerted(track, epochMs, streamMs)
        person.worn.delete(item)
      }
      person.missingSinceMs = null
      fired.push(event(track, track.evidence.epi, missing, person))
    }
    promising = own
      .filter(counts)
      .map(({ id }) => id)
      .filter(isPromising)
    return fired
  }

  const isPromising = (id: number) =>
    required.some((item) => people.get(id)?.evidence[item].suspected() && !isTold(item, id))

  const event = (track: ObservedTrack, sight: EpiSight, missing: readonly ItemEpi[], { evidence }: Person): Fired => {
    const zona = zones.zoneOf(track.id)
    return {
      ia: 'epi',
      trackIds: [track.id],
      caixas: [{ rotulo: 'person', confianca: track.confianca, ...clip(track.box) }, ...boxesOf(missing, sight)],
      confianca: Math.min(...missing.map((item) => evidence[item].confidence())),
      rotulos: missing.map((item) => rotuloFalta[item]),
      zona: zona === 'fora' ? null : zona,
      detalhes: { faltam: [...missing] },
    }
  }

  return {
    ia: 'epi',
    armed: watch.armed,
    update,
    promising: () => promising,
    state: (): EpiState => ({
      v: 1,
      firedAt: watch.lastFiredAt(),
      told: { capacete: told.capacete.saved(), colete: told.colete.saved() },
    }),
  }
}

const newPerson = (conf: number, minLooks: number): Person => ({
  evidence: {
    capacete: createItemEvidence('capacete', conf, minLooks),
    colete: createItemEvidence('colete', conf, minLooks),
  },
  worn: new Set(),
  missingSinceMs: null,
})

const boxesOf = (missing: readonly ItemEpi[], { caixas }: EpiSight): Detection[] =>
  caixas.filter(({ rotulo }) => missing.some((item) => rotuloFalta[item] === rotulo)).map((caixa) => ({ ...caixa }))

/** A state of another version or a damaged one is no state: better one event again than none ever. */
function readState(raw: unknown): EpiState | null {
  const state = raw as Partial<EpiState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1) return null
  const { capacete, colete } = state.told ?? {}
  if (!Array.isArray(capacete) || !Array.isArray(colete)) return null
  return {
    v: 1,
    firedAt: typeof state.firedAt === 'number' ? state.firedAt : null,
    told: { capacete: capacete.filter(isSavedPresence), colete: colete.filter(isSavedPresence) },
  }
}
