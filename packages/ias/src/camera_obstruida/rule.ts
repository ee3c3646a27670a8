import type { Analysis, AnalysisConfig, Fired, Observation } from '../observation.ts'
import { type PictureHealth, type ProblemaImagem, problemasImagem } from '../tasks/imagem.ts'
import { createWatch } from '../watch.ts'

/** Good and bad frames are weighed over about this long, ms: one torn or overexposed frame turns nothing over. */
const SMOOTH_MS = 1_000
/** Frames further apart are not one spell: the stream was gone, and nobody knows what the camera showed meanwhile. */
const GAP_MS = 10_000
/** A picture must have been good this long before the next obstruction is another one, ms: who uncovers a lens for a moment is still at it. */
const GOOD_MS = 30_000

interface ObstrucaoState {
  readonly v: 1
  readonly firedAt: number | null
  /** The obstruction that was told of lasts. */
  readonly told: boolean
}

/** Frames in a row that were good, or that were bad. */
interface Spell {
  readonly bad: boolean
  readonly sinceMs: number
  /** Bad frames in it, and what they showed in sum. */
  frames: number
  readonly sums: Record<ProblemaImagem, number>
}

/**
 * The picture as a whole is of no use: covered, blurred, blinded, turned away, frozen or black, for `permanencia_s` and in at least
 * `min_quadros` frames. One event per obstruction, also across a restart, until the picture was good again for half a minute. What
 * begins outside the Agenda or in the cooldown fires at its end if it still lasts: the camera is as blind then as before.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const watch = createWatch('camera_obstruida', config, before?.firedAt ?? null)
  const [conf, minFrames, minMs] = [
    watch.limit('conf'),
    watch.limit('min_quadros'),
    watch.limit('permanencia_s') * 1000,
  ]
  let told = before?.told ?? false
  /** How bad the last second was: share of bad frames, 0–1. */
  let level = 0
  let lastMs: number | null = null
  let spell: Spell | null = null

  const follow = (picture: PictureHealth, streamMs: number): Spell => {
    const bad = problemasImagem.some((problem) => picture[problem] >= conf)
    const apart = lastMs === null ? Number.POSITIVE_INFINITY : streamMs - lastMs
    lastMs = streamMs
    // A clock that ran backwards is a new stream.
    const anew = apart > GAP_MS || apart < 0
    level = anew ? Number(bad) : level + (Number(bad) - level) * (1 - Math.exp(-apart / SMOOTH_MS))
    const isBad = level > 0.5
    const current = spell && !anew && spell.bad === isBad ? spell : begin(isBad, streamMs)
    if (bad) {
      current.frames++
      for (const problem of problemasImagem) current.sums[problem] += picture[problem]
    }
    spell = current
    return current
  }

  return {
    ia: 'camera_obstruida',
    armed: watch.armed,
    update({ evidence: { imagem: picture }, epochMs, streamMs }: Observation): Fired[] {
      const mayFire = watch.mayFire(epochMs, streamMs)
      if (!picture) return []
      const { bad, sinceMs, frames, sums } = follow(picture, streamMs)
      const lastedMs = streamMs - sinceMs
      if (!bad && lastedMs >= GOOD_MS) told = false
      if (!bad || told || !mayFire || frames < minFrames || lastedMs < minMs) return []
      told = true
      watch.fired(epochMs, streamMs)
      const problema = problemasImagem.reduce((worst, one) => (sums[one] > sums[worst] ? one : worst))
      return [
        {
          ia: 'camera_obstruida',
          trackIds: [],
          caixas: [],
          confianca: Math.min(1, sums[problema] / frames),
          rotulos: [problema],
          zona: null,
          detalhes: { problema, duracao_s: Math.round(lastedMs / 1000) },
        },
      ]
    },
    promising: () => [],
    state: (): ObstrucaoState => ({ v: 1, firedAt: watch.lastFiredAt(), told }),
  }
}

const begin = (bad: boolean, sinceMs: number): Spell => ({
  bad,
  sinceMs,
  frames: 0,
  sums: { coberta: 0, desfocada: 0, ofuscada: 0, desviada: 0, congelada: 0, preta: 0 },
})

/** A state of another version or a damaged one is no state. */
function readState(raw: unknown): ObstrucaoState | null {
  const state = raw as Partial<ObstrucaoState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1 || typeof state.told !== 'boolean') return null
  return { v: 1, firedAt: typeof state.firedAt === 'number' ? state.firedAt : null, told: state.told }
}
