import { type Share, shareOf } from '@vigia/ias/share'
import { type Grupo, grupos, type Outcome } from './outcome.ts'
import { calibrationError, type ReliabilityBin, reliability } from './statistics.ts'

/** Counts of one row: outcomes of the true and of the false candidates. */
export interface Row {
  readonly grupo: Grupo
  readonly linha: string
  readonly verdadeiros: Outcomes
  readonly falsos: Outcomes
}

interface Outcomes {
  readonly confirmados: Share
  readonly incertos: Share
  readonly refutados: Share
}

export interface GroupSummary {
  readonly grupo: Grupo
  /** The first row counts all candidates. */
  readonly linhas: readonly [Row, ...Row[]]
  /** Candidates with `primeira` of at least 0.45, as the product's default lets through. */
  readonly fortes: Row
  readonly limpas: Row
  readonly confiabilidade: readonly ReliabilityBin[]
  /** Calibration error on these candidates (Guo et al. 2017), and where true and false ones weigh the same. */
  readonly erro_calibracao: number
  readonly erro_meio_a_meio: number
}

type Test = (outcome: Outcome) => boolean

function rowOf(grupo: Grupo, linha: string, outcomes: readonly Outcome[]): Row {
  const of = (verdadeiro: boolean): Outcomes => {
    const mine = outcomes.filter((one) => one.verdadeiro === verdadeiro)
    const share = (test: Test) => shareOf(mine.filter(test).length, mine.length)
    return {
      confirmados: share(({ decisao, certeza }) => decisao === 'confirmado' && certeza === 'alta'),
      incertos: share(({ decisao, certeza }) => decisao === 'confirmado' && certeza === 'baixa'),
      refutados: share(({ decisao }) => decisao === 'refutado'),
    }
  }
  return { grupo, linha, verdadeiros: of(true), falsos: of(false) }
}

/** Ranges with their names: each value belongs to the last range that it reaches. */
const ranges = (name: string, unit: string, from: readonly number[], value: (outcome: Outcome) => number) =>
  from.map((low, index): readonly [string, Test] => {
    const high = from[index + 1] ?? Number.POSITIVE_INFINITY
    const title = Number.isFinite(high) ? `${low}–${high}` : `≥ ${low}`
    return [`${name} ${title}${unit}`, (one) => value(one) >= low && value(one) < high]
  })

const splits: readonly (readonly [string, Test])[] = [
  ...ranges('altura', ' px', [0, 24, 36, 48, 64, 128], ({ alturaPx }) => alturaPx),
  ...ranges('ruído', '', [0, 1, 3, 6], ({ ruido }) => ruido),
  ...ranges('luz', '', [0, 30, 60, 90, 120], ({ luz }) => luz),
  ...ranges('primeiro modelo', '', [0.1, 0.2, 0.3, 0.45, 0.6], ({ primeira }) => primeira ?? 0),
]

export const summarize = (outcomes: readonly Outcome[]): GroupSummary[] =>
  grupos.flatMap((grupo) => {
    const mine = outcomes.filter((one) => one.grupo === grupo)
    if (mine.length === 0) return []
    const sources = [...new Set(mine.map(({ fonte, versao }) => `${fonte}, ${versao}`))]
    const rows = [
      ...sources.map((name) => [name, ({ fonte, versao }: Outcome) => `${fonte}, ${versao}` === name] as const),
      ...splits,
    ].map(([name, test]) => rowOf(grupo, name, mine.filter(test)))
    const stated = mine.map(({ decisao, confianca, verdadeiro }) => ({
      p: decisao === 'confirmado' ? confianca : 1 - confianca,
      verdadeiro,
    }))
    const bins = reliability(stated)
    return {
      grupo,
      linhas: [
        rowOf(grupo, 'todos', mine),
        ...rows.filter(({ verdadeiros, falsos }) => sizeOf(verdadeiros) + sizeOf(falsos) > 0),
      ],
      fortes: rowOf(
        grupo,
        'primeiro modelo ≥ 0.45',
        mine.filter(({ primeira }) => (primeira ?? 0) >= 0.45),
      ),
      limpas: rowOf(
        grupo,
        'limpas',
        mine.filter(({ versao }) => versao === 'limpa'),
      ),
      confiabilidade: bins,
      erro_calibracao: calibrationError(bins),
      erro_meio_a_meio: calibrationError(reliability(stated, true)),
    }
  })

export const sizeOf = ({ confirmados }: Outcomes): number => confirmados.n
