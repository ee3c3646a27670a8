import { ia as catalogueOf, type NomeIa } from '../catalogue.ts'
import { armsLonger, type Settings } from './settings.ts'

/** Why stored candidates cannot answer a proposal. */
export type UnanswerableReason =
  | 'ia_nova'
  | 'conf_menor'
  | 'area_menor'
  | 'outro_modelo'
  | 'min_quadros'
  | 'duracao'
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
  /** Highest `conf` and `area_min` in force in the period, by IA. */
  readonly highest: Readonly<Partial<Record<NomeIa, { readonly conf: number; readonly area_min: number }>>>
}

/** The first part of the proposal that the stored candidates cannot answer; null: they answer all of it. */
export function unanswerable(before: Settings, after: Settings, kept: Kept): Unanswerable | null {
  for (const ia of after.ias) {
    if (!before.ias.includes(ia)) return { ia, reason: 'ia_nova', limiar: null }
    const found = thresholdProblem(ia, before, after, kept)
    if (found) return { ia, ...found }
    if (armsLonger(ia, before, after, kept.desde, kept.ate)) return { ia, reason: 'agenda_maior', limiar: null }
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
    })
    if (reason) return { reason, limiar }
  }
  return null
}

function reasonOf(limiar: string, ia: NomeIa, { old, wanted }: { old: number; wanted: number }) {
  switch (limiar) {
    case 'conf':
      return wanted < old ? 'conf_menor' : null
    case 'area_min':
      if (catalogueOf(ia).modelo !== 'objetos') return 'outro_modelo'
      return wanted < old ? 'area_menor' : null
    case 'min_quadros':
      return 'min_quadros'
    case 'permanencia_s':
      return 'duracao'
    case 'resfriamento_s':
      return wanted < old ? 'resfriamento_menor' : null
    case 'min_pessoas':
      return wanted < old ? 'pessoas_menos' : null
    case 'direcao':
      return old === 0 ? null : 'direcao_mais'
    default:
      return wanted > old ? 'itens_mais' : null
  }
}
