import { isArmed } from '../agenda.ts'
import { ia as catalogueOf, type NomeIa } from '../catalogue.ts'
import { areaOf } from '../geometry.ts'
import { createTrigger } from '../trigger.ts'
import { createCrossingCooldown } from './crossing-cooldown.ts'
import { isCrossing, isMarked, isTimed, type LossReason, lossReasons, type Mark, type Occasion } from './occasion.ts'
import { armedSoon, configOf, keepShapes, type Settings } from './settings.ts'
import { shapeLoss } from './shape-loss.ts'

/** The result of one candidate with the proposed settings. */
export interface Outcome {
  readonly occasion: Occasion
  /** Epoch ms of the event; null: none comes. */
  readonly firesAt: number | null
  /** null: an event comes. */
  readonly loss: LossReason | null
  /** false: the answer is an estimate. */
  readonly exact: boolean
}

export interface ReplayInput {
  readonly occasions: readonly Occasion[]
  /** The settings in force, and the proposed ones. */
  readonly before: Settings
  readonly after: Settings
  /** Epoch ms of the last event of each IA before the period. */
  readonly lastFiredAt: Readonly<Partial<Record<NomeIa, number>>>
}

/** An object of an event may stay this long: if the Agenda opens meanwhile, its event comes then. */
const STAYS_MS = 600_000
/** An event holds the time of its stay in tenths of a second. */
const ROUNDING_MS = 50

interface Chance extends Mark {
  readonly occasion: Occasion
  readonly epochMs: number
}

/**
 * Replays stored candidates with other settings. The order of candidates, the Agenda and the cooldown are those of the
 * rules (trigger.ts, crossing-cooldown.ts). One visit is at most one event. Outcomes of discarded candidates are
 * returned only if an event comes.
 */
export function replay({ occasions, before, lastFiredAt, ...rest }: ReplayInput): Outcome[] {
  const after = keepShapes(before, rest.after)
  const ias = [...new Set(occasions.map(({ ia }) => ia))]
  return ias.flatMap((ia) => {
    const own = occasions.filter((occasion) => occasion.ia === ia)
    if (after.ias.includes(ia)) return replayIa(ia, own, { before, after, firedAt: lastFiredAt[ia] ?? null })
    return own
      .filter(({ fired }) => fired)
      .map((occasion) => ({ occasion, firesAt: null, loss: 'ia' as const, exact: true }))
  })
}

interface Scene {
  readonly before: Settings
  readonly after: Settings
  readonly firedAt: number | null
}

function replayIa(ia: NomeIa, occasions: readonly Occasion[], { before, after, firedAt }: Scene): Outcome[] {
  const config = configOf(after, ia)
  const trigger = createTrigger(ia, config, firedAt)
  const cooldownMs = trigger.limit('resfriamento_s') * 1000
  const crossings = isCrossing(ia) ? createCrossingCooldown(cooldownMs, before.linha) : null
  const [conf, minArea] = [trigger.limit('conf'), trigger.limit('area_min')]
  const minStayMs = isTimed(ia) ? trigger.limit('permanencia_s') * 1000 : null
  const begins = beginsOf(occasions)
  const stayOf = ({ occasion, epochMs }: Chance) => epochMs - (begins.get(visitOf(occasion)) ?? epochMs)
  const losses = new Map(occasions.map((occasion) => [occasion, shapeLoss(occasion, before, after)]))
  const fires = new Map<string, Chance>()
  /** Crossings that the Agenda or the cooldown stopped. They do not wait, unlike objects in a zone. */
  const missed = new Set<string>()
  const refusals = new Map<Occasion, LossReason>()

  const lossOf = (chance: Chance): LossReason | null => {
    const loss = losses.get(chance.occasion)
    if (loss) return loss
    if (chance.confianca < conf) return 'conf'
    if (chance.area < minArea) return 'area'
    if (minStayMs !== null && stayOf(chance) < minStayMs - ROUNDING_MS) return 'duracao'
    if (!isArmed(config.agenda, config.fusoHorario, chance.epochMs, config.feriados)) return 'agenda'
    const isReady = crossings
      ? crossings.ready(chance.occasion, chance.epochMs)
      : trigger.mayFire(chance.epochMs, chance.epochMs)
    return isReady ? null : 'resfriamento'
  }

  const sameZones = before.zonas === after.zonas
  // Only the refusals of events are reported.
  const mayMatter = ({ occasion, confianca, area }: Chance) => occasion.fired || (confianca >= conf && area >= minArea)
  const chances = occasions.flatMap((occasion) => chancesOf(occasion, mayMatter))
  for (const chance of chances.sort(byTimeAndWorth)) {
    const visit = visitOf(chance.occasion)
    if (fires.has(visit) || missed.has(visit) || (sameZones && chance.outside)) continue
    const loss = lossOf(chance)
    if (loss === null) {
      if (crossings) crossings.start(chance.occasion, chance.epochMs)
      else trigger.fired(chance.epochMs, chance.epochMs)
      fires.set(visit, chance)
      continue
    }
    refusals.set(chance.occasion, later(refusals.get(chance.occasion), loss))
    if (isCrossing(ia) && (loss === 'agenda' || loss === 'resfriamento')) missed.add(visit)
  }

  const marked = new Set(occasions.filter(({ marks }) => marks !== null).map(visitOf))
  const cut = new Set(occasions.filter(({ complete }) => !complete).map(visitOf))
  const exactOf = (occasion: Occasion, loss: LossReason | null): boolean => {
    const { calibracao, fired, epochMs } = occasion
    if (differsInShape(occasion, before, after)) return loss === 'direcao'
    const isLower = ['conf', 'area_min'].some((one) => Number(config.calibracao[one]) < Number(calibracao[one]))
    // A lower value may begin a visit that continues in another track.
    if (isLower && !fired) return false
    if (marked.has(visitOf(occasion)) && isMarked(ia)) return loss === null || !cut.has(visitOf(occasion))
    if (loss === null) return fired && ['conf', 'area_min'].every((one) => calibracao[one] === config.calibracao[one])
    if (loss === 'agenda') return !armedSoon(ia, after, epochMs, STAYS_MS)
    return loss === 'direcao' || (loss === 'resfriamento' && isCrossing(ia))
  }

  const events = occasions.filter(({ fired }) => fired)
  const known = new Set(events.map(visitOf))
  const outcomes = [
    ...events.map((occasion) => {
      const chance = fires.get(visitOf(occasion)) ?? null
      const loss = chance ? null : (refusals.get(occasion) ?? 'conf')
      return { occasion, firesAt: chance?.epochMs ?? null, loss, exact: exactOf(occasion, loss) }
    }),
    ...[...fires]
      .filter(([visit]) => !known.has(visit))
      .map(([, { occasion, epochMs }]) => ({
        occasion,
        firesAt: epochMs,
        loss: null,
        exact: exactOf(occasion, null),
      })),
  ]
  const groups = crossings ? Map.groupBy(outcomes, ({ occasion }) => crossings.keyOf(occasion)).values() : [outcomes]
  return [...groups].flatMap((group) => withDoubt(group, cooldownMs))
}

/** An uncertain answer makes those after it uncertain: its event would start the cooldown. */
function withDoubt(outcomes: readonly Outcome[], cooldownMs: number): Outcome[] {
  if (cooldownMs === 0) return [...outcomes]
  const timeOf = ({ firesAt, occasion }: Outcome) => firesAt ?? occasion.epochMs
  let doubtUntil = Number.NEGATIVE_INFINITY
  return outcomes
    .toSorted((a, b) => timeOf(a) - timeOf(b))
    .map((outcome) => {
      const at = timeOf(outcome)
      const exact = outcome.exact && at >= doubtUntil
      if (!exact) doubtUntil = Math.max(doubtUntil, at + cooldownMs + (outcome.exact ? 0 : STAYS_MS))
      return { ...outcome, exact }
    })
}

/** Epoch ms at which the stay of each visit began: by its event, else by its first mark. */
function beginsOf(occasions: readonly Occasion[]): ReadonlyMap<string, number> {
  const begins = new Map<string, number>()
  for (const occasion of occasions) {
    const { epochMs, fired, detalhes, marks } = occasion
    const before = fired ? (detalhes.duracao_s ?? 0) * 1000 : -(marks?.[0]?.ms ?? 0)
    begins.set(visitOf(occasion), Math.min(begins.get(visitOf(occasion)) ?? epochMs, epochMs - before))
  }
  return begins
}

const visitOf = ({ visit, key }: Occasion): string => visit ?? key

/** The loss of the later check: it is the one that stands between the candidate and its event. */
const later = (a: LossReason | undefined, b: LossReason): LossReason =>
  a !== undefined && lossReasons.indexOf(a) > lossReasons.indexOf(b) ? a : b

/** An event without marks has the frame that fired. A discarded candidate without marks never fires. */
function chancesOf(occasion: Occasion, mayMatter: (chance: Chance) => boolean): Chance[] {
  const { marks, fired, confianca, caixas, epochMs } = occasion
  const [first] = caixas
  const area = first ? areaOf(first) : 1
  const known = marks ?? (fired ? [{ ms: 0, confianca, area, outside: false }] : [])
  return known
    .map(({ ms, confianca, area, outside }) => ({ ms, confianca, area, outside, occasion, epochMs: epochMs + ms }))
    .filter(mayMatter)
}

const byTimeAndWorth = (a: Chance, b: Chance): number =>
  a.epochMs - b.epochMs || b.confianca * b.area - a.confianca * a.area

/** Whether the geometry of this IA, or a threshold without an exact answer, is another one. */
function differsInShape({ ia, calibracao }: Occasion, before: Settings, after: Settings): boolean {
  const { geometria } = catalogueOf(ia)
  if (geometria === 'zona' && before.zonas !== after.zonas) return true
  if (geometria === 'linha' && before.linha !== after.linha) return true
  return ['permanencia_s', 'min_pessoas', 'exigir_capacete', 'exigir_colete', 'direcao'].some(
    (limiar) => calibracao[limiar] !== undefined && calibracao[limiar] !== after.calibracao[ia][limiar],
  )
}
