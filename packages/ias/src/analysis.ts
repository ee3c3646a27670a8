import type { NomeIa } from './catalogue.ts'
import { loadEntries } from './load-entries.ts'
import type { Analysis, AnalysisConfig, CreateRule } from './observation.ts'

/** null: this software cannot run the IA yet. The IA is reported as unavailable. */
const rules = await loadEntries<CreateRule | null>('rule', 'createRule')

/**
 * The analysis of `config.ia`, continued from `state` (a result of `Analysis.state`). null: this software cannot run
 * that IA yet.
 */
export const createAnalysis = (config: AnalysisConfig, state?: unknown): Analysis | null =>
  rules[config.ia]?.(config, state) ?? null

export const isSupported = (ia: NomeIa): boolean => rules[ia] !== null
