import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { repositoryRoot } from '@vigia/testing/program'
import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import { evaluateComposed } from './composto/evaluate-composed.ts'
import { evaluate } from './evaluate.ts'
import { evaluateLong, type LongOptions } from './longo/evaluate-long.ts'
import { evaluatePlates } from './modo-b/evaluate-plates.ts'
import { evaluatePpe } from './ppe/evaluate-ppe.ts'
import { evaluateTracking } from './rastreio/evaluate-tracking.ts'
import type trial from './trial.ts'
import { evaluateVehicles } from './veiculos/evaluate-vehicles.ts'
import { evaluateVerifier } from './verificador/evaluate-verifier.ts'
import { fitScore } from './verificador/fit-score.ts'
import { evaluateWeather } from './weather/evaluate-weather.ts'
import { evaluateNights } from './weather/nights.ts'

type Given = z.output<typeof trial.options>

interface Options extends LongOptions {
  readonly vtest: string | null
  readonly pontuacoes: string | null
  /** Number of composed scenes. */
  readonly cenas: number
  readonly clips: readonly string[]
}

type Measurement = (options: Options, output: TrialOutput) => Promise<Result>

/** Those with a flag of their own. */
const measurements = {
  ajustar: fitScore,
  verificador: evaluateVerifier,
  longo: evaluateLong,
  rastreio: evaluateTracking,
  epi: evaluatePpe,
  clima: evaluateWeather,
  composto: evaluateComposed,
  noites: evaluateNights,
  veiculos: evaluateVehicles,
  'modo-b': evaluatePlates,
} satisfies Partial<Record<keyof Given, Measurement>>
const names = Object.keys(measurements) as (keyof typeof measurements)[]

/** Carries out the chosen measurement. Data that the person must correct count as a wrong call. */
export async function carryOut(given: Given, output: TrialOutput): Promise<Result> {
  const chosen = names.filter((name) => given[name])
  if (chosen.length > 1) throw new WrongCall(`--${chosen.join(' and --')}: choose one measurement`)
  const [name] = chosen
  const measure: Measurement = name ? measurements[name] : evaluate
  try {
    return await measure(optionsOf(given), output)
  } catch (error) {
    if (error instanceof VigiaError) throw new WrongCall(error.detalhe, { cause: error })
    throw error
  }
}

function optionsOf(given: Given): Options {
  const { VIGIA_DADOS_TESTE, VIGIA_VTEST } = process.env
  const { data = VIGIA_DADOS_TESTE ?? join(repositoryRoot, '../shared/data'), vtest = VIGIA_VTEST } = given
  return {
    dataDir: resolve(data),
    only: given.only ?? null,
    stress: given.stress,
    includeTraining: given['include-training'],
    modelsFolder: given.models === undefined ? null : resolve(given.models),
    processes: given.processes,
    markdown: given.markdown ?? null,
    pontuacoes: given.pontuacoes ?? null,
    perfil: given.perfil ?? null,
    estado: resolve(given.estado ?? join(tmpdir(), 'vigia-eval-longo')),
    horas: given.horas,
    vtest: vtest === undefined ? null : resolve(vtest),
    clips: given.clipe.map((path) => resolve(path)),
    cenas: given.cenas,
  }
}
