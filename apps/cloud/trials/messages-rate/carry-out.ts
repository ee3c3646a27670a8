import { percentile } from '@vigia/testing/stats'
import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { type MessagesReport, runMessages } from './run.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** First minute without a verifier, from 0. */
const DOWN_FROM = 2

export async function carryOut(options: Options, { print }: TrialOutput): Promise<Result> {
  const { minutes, rate, 'verifier-ms': verifierMs, 'at-once': atOnce, down, scale } = options
  const report = await runMessages({
    minutes,
    perMinute: rate,
    verifierMs,
    atOnce,
    scale,
    down: { from: DOWN_FROM, to: DOWN_FROM + down },
  })
  print(`events without a verdict at the end of each minute: ${report.waiting.join(' ')}`)
  return { passed: true, rows: rowsOf(report, verifierMs) }
}

const rowsOf = ({ sent, byPolitica, down }: MessagesReport, verifierMs: number): Row[] =>
  Object.entries(byPolitica).map(([politica, all]) => {
    const confirmed = all.filter(({ tipo }) => tipo === 'evento.confirmado')
    const times = confirmed.map(({ tookMs }) => tookMs)
    const seconds = (share: number) => Math.round(percentile(times, share)) / 1_000
    return {
      politica,
      events: sent,
      confirmed: new Set(confirmed.map(({ eventoId }) => eventoId)).size,
      unverified: all.filter(({ tipo }) => tipo === 'evento.nao_verificado').length,
      'messages while down': all.filter(({ em }) => em >= down[0] + verifierMs && em < down[1]).length,
      'p50 s': seconds(0.5),
      'p99 s': seconds(0.99),
      'verifier s': verifierMs / 1_000,
    }
  })
