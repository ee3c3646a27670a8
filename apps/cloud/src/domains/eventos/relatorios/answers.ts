import { setImmediate } from 'node:timers/promises'
import type { RespostaIncidente } from '@vigia/contracts/incidentes'
import { MAX_LINHAS_RELATORIO, type Relatorio } from '@vigia/contracts/relatorios'

/** An incidente of a report; times in epoch ms. */
export interface AnsweredRow {
  readonly inicio: number
  readonly resposta: RespostaIncidente | null
  /** Author of the last answer. */
  readonly atendido_por: string | null
  /** Time of the first answer; null: none. */
  readonly primeira_em: number | null
}

/** Rows that take about a millisecond. */
const MANY = 1_000

/** Lets the event loop turn between its parts: a year has many rows. */
export async function summarizeAnswers(rows: readonly AnsweredRow[]): Promise<Relatorio['respostas']> {
  const answered = rows.filter(({ resposta }) => resposta !== null)
  const countOf = (resposta: RespostaIncidente) => answered.filter((row) => row.resposta === resposta).length
  const [verdadeiros, falsos] = [countOf('verdadeiro'), countOf('falso')]
  const durations = durationsOf(answered)
  await setImmediate()
  const people = Map.groupBy(answered, ({ atendido_por }) => atendido_por ?? '')
  await setImmediate()
  const lines: Relatorio['respostas']['por_pessoa'] = []
  for (const [revisor, own] of people) {
    lines.push({ revisor, respondidos: own.length, ...durationsOf(own) })
    if (own.length > MANY) await setImmediate()
  }
  return {
    incidentes: rows.length,
    respondidos: answered.length,
    verdadeiros,
    falsos,
    nao_sei: countOf('nao_sei'),
    falso_alarme: verdadeiros + falsos === 0 ? null : falsos / (verdadeiros + falsos),
    ...durations,
    por_pessoa: lines.toSorted((a, b) => b.respondidos - a.respondidos).slice(0, MAX_LINHAS_RELATORIO),
  }
}

/** Durations from the start of the incidente to its first answer. The clock of an edge may be ahead: never below 0. */
function durationsOf(rows: readonly AnsweredRow[]) {
  const sorted = rows
    .flatMap(({ inicio, primeira_em }) => (primeira_em === null ? [] : [Math.max(0, Number(primeira_em) - inicio)]))
    .toSorted((a, b) => a - b)
  const at = (share: number) => {
    // Nearest rank: the smallest duration that at least this share does not exceed.
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
    return value === undefined ? null : Math.round(value / 1000)
  }
  return { mediana_s: at(0.5), p90_s: at(0.9) }
}
