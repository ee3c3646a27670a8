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

/** The answers to the incidentes of a report. Its size depends on durations and people, not on incidentes. */
export interface AnswerSummary {
  add(row: AnsweredRow): void
  /** Lets the event loop turn between its parts. */
  result(): Promise<Relatorio['respostas']>
}

/** Durations whose sorting takes about a millisecond. */
const MANY = 5_000

export function createAnswerSummary(): AnswerSummary {
  let incidentes = 0
  const answers: Record<RespostaIncidente, number> = { verdadeiro: 0, falso: 0, nao_sei: 0 }
  const all = createDurations()
  const people = new Map<string, { respondidos: number; readonly durations: Durations }>()

  return {
    add({ inicio, resposta, atendido_por, primeira_em }) {
      incidentes++
      if (resposta === null) return
      answers[resposta]++
      const name = atendido_por ?? ''
      const person = people.get(name) ?? { respondidos: 0, durations: createDurations() }
      people.set(name, person)
      person.respondidos++
      if (primeira_em === null) return
      // The clock of an edge may be ahead.
      const seconds = Math.round(Math.max(0, Number(primeira_em) - inicio) / 1000)
      all.add(seconds)
      person.durations.add(seconds)
    },
    async result() {
      const { verdadeiro, falso, nao_sei } = answers
      const durations = all.percentiles()
      await setImmediate()
      const lines: Relatorio['respostas']['por_pessoa'] = []
      for (const [revisor, { respondidos, durations: own }] of people) {
        lines.push({ revisor, respondidos, ...own.percentiles() })
        if (own.different() > MANY) await setImmediate()
      }
      return {
        incidentes,
        respondidos: verdadeiro + falso + nao_sei,
        verdadeiros: verdadeiro,
        falsos: falso,
        nao_sei,
        falso_alarme: verdadeiro + falso === 0 ? null : falso / (verdadeiro + falso),
        ...durations,
        por_pessoa: lines.toSorted((a, b) => b.respondidos - a.respondidos).slice(0, MAX_LINHAS_RELATORIO),
      }
    },
  }
}

type Durations = ReturnType<typeof createDurations>

/** Durations from the start of an incidente to its first answer, as the number of each whole second. */
function createDurations() {
  const counts = new Map<number, number>()
  let total = 0
  return {
    add(seconds: number) {
      counts.set(seconds, (counts.get(seconds) ?? 0) + 1)
      total++
    },
    different: () => counts.size,
    percentiles() {
      const sorted = Float64Array.from(counts.keys()).sort()
      /** Nearest rank: the smallest duration that at least this share does not exceed. */
      const at = (share: number): number | null => {
        let before = 0
        for (const seconds of sorted) {
          before += counts.get(seconds) ?? 0
          if (before >= Math.max(1, Math.ceil(share * total))) return seconds
        }
        return null
      }
      return { mediana_s: at(0.5), p90_s: at(0.9) }
    },
  }
}
