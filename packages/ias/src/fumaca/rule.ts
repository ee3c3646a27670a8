import { createFireAnalysis, type FireKind } from '../fire-analysis.ts'
import type { Box } from '../geometry.ts'
import type { Analysis, AnalysisConfig } from '../observation.ts'

/** Growth since its first inference that counts as spreading. Boxes of one cloud vary by less. */
const SPREADS = 1.3
/** Area of the first inference above which fog, rain or a wet lens is more likely than smoke. */
const VEIL = 0.5

const kind: FireKind = {
  ia: 'fumaca',
  label: 'smoke',
  // The middle of the cloud: its source is hidden and it does not touch the ground.
  anchor: ({ x, y, w, h }: Box) => ({ x: x + w / 2, y: y + h / 2 }),
  // Smoke drifts by about its own size.
  reach: 1,
  leastShare: 0.5,
  growth: (first, now) => {
    if (now >= first * SPREADS) return 2
    return first > VEIL ? 1 / 3 : 1
  },
}

/**
 * Visible smoke (fire-analysis.ts). Smoke moves slowly: flicker counts less than with flames, and growth counts too.
 * Steam is indistinguishable from white smoke: the zone must exclude regular sources of steam. A fog bank does not fire
 * because it does not grow.
 */
export const createRule = (config: AnalysisConfig, restored?: unknown): Analysis =>
  createFireAnalysis(kind, config, restored)
