import type { AnaliseDesejada } from '@vigia/contracts/edge-state'
import { janelaDoClipe } from '@vigia/contracts/ias'

/** Parts of a clip before and after its event. */
export interface ClipSpan {
  readonly beforeMs: number
  readonly afterMs: number
}

type Calibration = AnaliseDesejada['calibracao']

/** An older cloud sends no span. */
function msOf(calibration: Calibration, name: keyof typeof janelaDoClipe): number {
  const { padrao, minimo, maximo } = janelaDoClipe[name]
  return 1000 * Math.min(maximo, Math.max(minimo, Number(calibration[name] ?? padrao)))
}

/** The span of the clips of one IA. */
export const clipSpan = (calibration: Calibration): ClipSpan => ({
  beforeMs: msOf(calibration, 'clipe_antes_s'),
  afterMs: msOf(calibration, 'clipe_depois_s'),
})

export const usualSpan = clipSpan({})

/** Longest part before an event of any of these IAs. */
export const longestBeforeMs = (analises: readonly Pick<AnaliseDesejada, 'calibracao'>[]): number =>
  Math.max(usualSpan.beforeMs, ...analises.map(({ calibracao }) => clipSpan(calibracao).beforeMs))
