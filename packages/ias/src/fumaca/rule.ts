import { createFireAnalysis, type FireKind } from '../fire-analysis.ts'
import type { Box } from '../geometry.ts'
import type { Analysis, AnalysisConfig } from '../observation.ts'

/** So much larger than in its first look: it spreads. Boxes of one cloud differ by less. */
const SPREADS = 1.3
/** What fills more than half of the picture from its first look on is more often fog, rain or a wet lens. */
const VEIL = 0.5

const kind: FireKind = {
  ia: 'fumaca',
  label: 'smoke',
  // Where smoke comes from is hidden in it, and it touches no ground: its middle stands for it.
  anchor: ({ x, y, w, h }: Box) => ({ x: x + w / 2, y: y + h / 2 }),
  // It drifts by about its own size.
  reach: 1,
  leastShare: 0.5,
  growth: (first, now) => {
    if (now >= first * SPREADS) return 2
    return first > VEIL ? 1 / 3 : 1
  },
}

/**
 * Visible smoke (fire-analysis.ts). It stirs slowly: restlessness counts for less than with flames, spreading counts too. Steam is to a camera
 * what white smoke is: where it comes out as a matter of course, the zone has to leave it out. A fog bank is held back by not spreading.
 */
export const createRule = (config: AnalysisConfig, restored?: unknown): Analysis =>
  createFireAnalysis(kind, config, restored)
