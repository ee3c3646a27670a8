import { createFireAnalysis, type FireKind } from '../fire-analysis.ts'
import { footOf } from '../geometry.ts'
import type { Analysis, AnalysisConfig } from '../observation.ts'

const kind: FireKind = {
  ia: 'fogo',
  label: 'fire',
  // The foot of the flame is what burns.
  anchor: footOf,
  // Flames leap over about half their own size between two looks.
  reach: 0.5,
  // A small flame is hardly seen by a network; a place that flickers in a flame's colours, both beyond doubt, needs no more than a hint of it.
  leastShare: 0.2,
  growth: () => 1,
}

/** Visible flames (fire-analysis.ts): the detector together with the colours and the flicker of the place. */
export const createRule = (config: AnalysisConfig, restored?: unknown): Analysis =>
  createFireAnalysis(kind, config, restored)
