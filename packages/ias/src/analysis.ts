import type { NomeIa } from './catalogue.ts'
import { loadEntries } from './load-entries.ts'
import type { Analysis, AnalysisConfig, CreateRule } from './observation.ts'

/** null: an IA of the catalogue that this software cannot run yet. It is reported, never ignored in silence. */
const rules = await loadEntries<CreateRule | null>('rule', 'createRule')

/**
 * The analysis of `config.ia`, continued from `state` (what `Analysis.state` gave, in this process or the one before).
 * null: this software cannot run that IA yet.
 */
export const createAnalysis = (config: AnalysisConfig, state?: unknown): Analysis | null =>
  rules[config.ia]?.(config, state) ?? null

export const isSupported = (ia: NomeIa): boolean => rules[ia] !== null
