import type { NomeIa } from '@vigia/contracts/ias'
import { createInvasao } from './invasao.ts'
import type { Analysis, AnalysisConfig } from './observation.ts'

/** Every IA that this software can run. An IA of the catalogue that is missing here is reported, never ignored in silence. */
const factories: Partial<Record<NomeIa, (config: AnalysisConfig, state?: unknown) => Analysis>> = {
  invasao: createInvasao,
}

/**
 * The analysis of `config.ia`, continued from `state` (what `Analysis.state` gave, in this process or the one before).
 * null: this software cannot run that IA yet.
 */
export const createAnalysis = (config: AnalysisConfig, state?: unknown): Analysis | null =>
  factories[config.ia]?.(config, state) ?? null

export const isSupported = (ia: NomeIa): boolean => factories[ia] !== undefined
