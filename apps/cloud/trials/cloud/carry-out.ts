import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { type PartName, parts } from './parts.ts'
import { toRow } from './result.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Runs the parts one after the other. */
export async function carryOut(options: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { banco, rapido } = options
  const names = Object.keys(parts) as PartName[]
  const asked = names.filter((name) => options[name])
  const chosen = asked.length > 0 ? asked : names
  const rows: Row[] = []
  let passed = true
  for (const [at, name] of chosen.entries()) {
    const lines = await parts[name]({ banco, rapido }, (fraction, title) =>
      progress((at + Math.min(1, fraction)) / chosen.length, `${name}: ${title}`),
    )
    rows.push(...lines.map(toRow))
    passed &&= !lines.some(({ falhou }) => falhou)
  }
  print(`Central sob carga: alertas, edges e login em ${banco}; carga: média do último minuto de cada linha`)
  return { passed, rows }
}
