import { createFireAnalysis, type FireKind } from '../fire-analysis.ts'
import { footOf } from '../geometry.ts'
import type { Analysis, AnalysisConfig } from '../observation.ts'

const kind: FireKind = {
  ia: 'fogo',
  label: 'fire',
  // The foot of the flame is the burning object.
  anchor: footOf,
  // Flames jump by about half their own size between two inferences.
  reach: 0.5,
  // The network gives small flames a low confidence. With strong flicker and strong flame colours such a confidence is
  // enough.
  leastShare: 0.2,
  growth: () => 1,
}

/** Visible flames (fire-analysis.ts): the detector together with colours and flicker of the area. */
export const createRule = (config: AnalysisConfig, restored?: unknown): Analysis =>
  createFireAnalysis(kind, config, restored)
