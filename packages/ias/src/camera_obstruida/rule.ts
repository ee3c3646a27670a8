import type { Analysis, AnalysisConfig, Fired, Observation } from '../observation.ts'
import { ALERTED } from '../stored-keys.ts'
import { type PictureHealth, type ProblemaImagem, problemasImagem } from '../tasks/imagem.ts'
import { createTrigger } from '../trigger.ts'

/** Time constant of the mean over good and bad frames: one torn or overexposed frame changes nothing. */
const SMOOTH_MS = 1_000
/** Longest time between frames of one spell: a longer gap is an interruption of the stream. */
const GAP_MS = 10_000
/** Time of good picture after which the next obstruction is another one: a lens may be uncovered for a moment. */
const GOOD_MS = 30_000

interface ObstrucaoState {
  readonly v: 1
  readonly firedAt: number | null
  /** Whether the alerted obstruction lasts. */
  readonly [ALERTED]: boolean
}

/** Consecutive good or consecutive bad frames. */
interface Spell {
  readonly bad: boolean
  readonly sinceMs: number
  /** Number of bad frames, and their measures summed by problem. */
  frames: number
  readonly sums: Record<ProblemaImagem, number>
}

/**
 * The whole picture is useless: covered, blurred, blinded, turned away, frozen or black. It stays so for
 * `permanencia_s` and in at least `min_quadros` frames. One event per obstruction, also across a restart, until the
 * picture is good again for half a minute. An obstruction that begins outside the Agenda or in the cooldown fires at
 * its end if it still lasts.
 */
export function createRule(config: AnalysisConfig, restored?: unknown): Analysis {
  const before = readState(restored)
  const trigger = createTrigger('camera_obstruida', config, before?.firedAt ?? null)
  const [conf, minFrames, minMs] = [
    trigger.limit('conf'),
    trigger.limit('min_quadros'),
    trigger.limit('permanencia_s') * 1000,
  ]
  let alerted = before?.[ALERTED] ?? false
  /** Share of bad frames over the last second, 0–1. */
  let level = 0
  let lastMs: number | null = null
  let spell: Spell | null = null

  const follow = (picture: PictureHealth, streamMs: number): Spell => {
    const bad = problemasImagem.some((problem) => picture[problem] >= conf)
    const apart = lastMs === null ? Number.POSITIVE_INFINITY : streamMs - lastMs
    lastMs = streamMs
    // A clock that runs backwards belongs to a new stream.
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
    armed: trigger.armed,
    update({ evidence: { imagem: picture }, epochMs, streamMs }: Observation): Fired[] {
      const mayFire = trigger.mayFire(epochMs, streamMs)
      if (!picture) return []
      const { bad, sinceMs, frames, sums } = follow(picture, streamMs)
      const lastedMs = streamMs - sinceMs
      if (!bad && lastedMs >= GOOD_MS) alerted = false
      if (!bad || alerted || !mayFire || frames < minFrames || lastedMs < minMs) return []
      alerted = true
      trigger.fired(epochMs, streamMs)
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
    state: (): ObstrucaoState => ({ v: 1, firedAt: trigger.lastFiredAt(), [ALERTED]: alerted }),
  }
}

const begin = (bad: boolean, sinceMs: number): Spell => ({
  bad,
  sinceMs,
  frames: 0,
  sums: { coberta: 0, desfocada: 0, ofuscada: 0, desviada: 0, congelada: 0, preta: 0 },
})

/** A damaged state or one of another version is ignored. */
function readState(raw: unknown): ObstrucaoState | null {
  const state = raw as Partial<ObstrucaoState> | null | undefined
  if (typeof state !== 'object' || state === null || state.v !== 1 || typeof state[ALERTED] !== 'boolean') return null
  return { v: 1, firedAt: typeof state.firedAt === 'number' ? state.firedAt : null, [ALERTED]: state[ALERTED] }
}
