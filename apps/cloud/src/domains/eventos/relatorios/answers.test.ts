import { expect, it } from 'vitest'
import { type AnsweredRow, createAnswerSummary } from './answers.ts'

const row = (resposta: 'verdadeiro' | 'falso' | 'nao_sei' | null, seconds: number | null, atendido_por = 'rui') => ({
  inicio: 1_000,
  resposta,
  atendido_por: resposta && atendido_por,
  primeira_em: seconds === null ? null : 1_000 + seconds * 1000,
})

function summarizeAnswers(rows: readonly AnsweredRow[]) {
  const summary = createAnswerSummary()
  for (const one of rows) summary.add(one)
  return summary.result()
}

it('summarizes answers, their times and the share of false alarms', async () => {
  const rows = [row('falso', 10), row('falso', 20), row('verdadeiro', 30, 'ana'), row('nao_sei', 4000), row(null, null)]
  expect(await summarizeAnswers(rows)).toEqual({
    incidentes: 5,
    respondidos: 4,
    verdadeiros: 1,
    falsos: 2,
    nao_sei: 1,
    falso_alarme: 2 / 3,
    mediana_s: 20,
    p90_s: 4000,
    por_pessoa: [
      { revisor: 'rui', respondidos: 3, mediana_s: 20, p90_s: 4000 },
      { revisor: 'ana', respondidos: 1, mediana_s: 30, p90_s: 30 },
    ],
  })
})

it('has no share and no time without answers, and no negative time', async () => {
  expect(await summarizeAnswers([row(null, null)])).toMatchObject({ falso_alarme: null, mediana_s: null, p90_s: null })
  expect(await summarizeAnswers([row('falso', -5)])).toMatchObject({ falso_alarme: 1, mediana_s: 0 })
})
