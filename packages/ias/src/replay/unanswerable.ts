import { ia as catalogueOf, type NomeIa } from '../catalogue.ts'
import { STAY_BEYOND_MS, STAY_REPORTED_MS } from '../chances.ts'
import { REPORTED_BELOW_CONF, TRACK_SURE } from '../evidence.ts'
import { isCrossing, isMarked, isTimed } from './occasion.ts'
import { armsLonger, type Settings } from './settings.ts'

/** Why stored candidates cannot answer a proposal. */
export type UnanswerableReason =
  | 'ia_nova'
  | 'conf_menor'
  | 'area_menor'
  | 'outro_modelo'
  | 'min_quadros'
  | 'duracao'
  | 'duracao_maior'
  | 'resfriamento_menor'
  | 'pessoas_menos'
  | 'direcao_mais'
  | 'itens_mais'
  | 'agenda_maior'

export interface Unanswerable {
  readonly ia: NomeIa
  readonly reason: UnanswerableReason
  /** null: not a threshold. */
  readonly limiar: string | null
}

/** The candidates that the edge kept in the period. */
export interface Kept {
  /** Epoch ms, `ate` exclusive. */
  readonly desde: number
  readonly ate: number
  /** Whether the edge reported tracks without an event. */
  readonly discards: boolean
  /** IAs with an event whose track the edge did not report. */
  readonly unmarked: readonly NomeIa[]
  /** Highest `conf` and `area_min` in force in the period, by IA. */
  readonly highest: Readonly<Partial<Record<NomeIa, { readonly conf: number; readonly area_min: number }>>>
}

/** The first part of the proposal that the stored candidates cannot answer; null: they answer all of it. */
export function unanswerable(before: Settings, after: Settings, kept: Kept): Unanswerable | null {
  for (const ia of after.ias) {
    if (!before.ias.includes(ia)) return { ia, reason: 'ia_nova', limiar: null }
    const found = thresholdProblem(ia, before, after, kept)
    if (found) return { ia, ...found }
    const marked = kept.discards && isMarked(ia)
    // Another armed IA of the same model keeps the detector running.
    const watched = marked ? before.ias.filter((one) => catalogueOf(one).modelo === catalogueOf(ia).modelo) : [ia]
    if (armsLonger(ia, [before, after], watched, kept)) return { ia, reason: 'agenda_maior', limiar: null }
  }
  return null
}

type Problem = Pick<Unanswerable, 'reason' | 'limiar'>

function thresholdProblem(ia: NomeIa, before: Settings, after: Settings, kept: Kept): Problem | null {
  const [was, is] = [before.calibracao[ia], after.calibracao[ia]]
  const changed = Object.keys(is).filter((limiar) => was[limiar] !== is[limiar])
  const highest = kept.highest[ia]
  for (const limiar of changed) {
    const [old, wanted] = [Number(was[limiar]), Number(is[limiar])]
    const reason = reasonOf(limiar, ia, {
      old: limiar === 'conf' || limiar === 'area_min' ? Math.max(old, highest?.[limiar] ?? 0) : old,
      wanted,
      marked: kept.discards && isMarked(ia),
      timed: kept.discards && isTimed(ia) && !kept.unmarked.includes(ia),
    })
    if (reason) return { reason, limiar }
  }
  return null
}

interface Change {
  readonly old: number
  readonly wanted: number
  /** The marks of this IA were reported. */
  readonly marked: boolean
  /** The marks of every stay were reported. */
  readonly timed: boolean
}

function reasonOf(limiar: string, ia: NomeIa, { old, wanted, marked, timed }: Change) {
  switch (limiar) {
    case 'conf':
      return wanted < (marked ? lowestConf(old) : old) ? 'conf_menor' : null
    case 'area_min':
      if (catalogueOf(ia).modelo !== 'objetos') return 'outro_modelo'
      // The marks of crossings hold only large enough objects.
      return wanted < old && !(marked && !isCrossing(ia)) ? 'area_menor' : null
    case 'min_quadros':
      return 'min_quadros'
    case 'permanencia_s':
      if (!timed || old * 1000 > STAY_REPORTED_MS) return 'duracao'
      return (wanted - old) * 1000 > STAY_BEYOND_MS ? 'duracao_maior' : null
    case 'resfriamento_s':
      return wanted < old && !marked ? 'resfriamento_menor' : null
    case 'min_pessoas':
      return wanted < old ? 'pessoas_menos' : null
    case 'direcao':
      return old === 0 ? null : 'direcao_mais'
    case 'clipe_antes_s':
    case 'clipe_depois_s':
      return null
    default:
      return wanted > old ? 'itens_mais' : null
  }
}

/** A weaker detection began no track, or its track was not reported. */
const lowestConf = (conf: number): number => Math.max(conf - REPORTED_BELOW_CONF, Math.min(TRACK_SURE, conf))
