import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import type { Footage } from './data-set.ts'
import type { Stretch } from './furg-labels.ts'
import { plainScene, type Scene } from './scene.ts'

/** One expected event. */
export interface Expected extends Stretch {
  readonly detail: string
  /** cruzamento_linha: required direction. */
  readonly direcao: 'ab' | 'ba' | null
}

/** Labels of one video for one IA. */
export interface Expectation {
  readonly expected: readonly Expected[]
  /** Stretches in which an unexpected event is false. Elsewhere the labels are unknown. */
  readonly judged: readonly Stretch[]
}

/** The whole video, of any length. */
const WHOLE: Stretch = { startS: 0, endS: Number.POSITIVE_INFINITY }
/**
 * The line of `vehicle_crosses_mid_line`, from left to right: a downward movement goes from its left to its right
 * (`ab`).
 */
const MIDDLE_LINE = [
  [0, 0.5],
  [1, 0.5],
]

/** Names of events in `events.csv` that map to an IA; besides them, `ia:NOME` and `sem:NOME`. */
const synonyms: Readonly<Record<string, NomeIa>> = {
  person_present: 'invasao',
  vehicle_crosses_mid_line: 'cruzamento_linha',
}

const isIa = (name: string): name is NomeIa => nomesIas.some((nome) => nome === name)

const iaOf = (event: string, prefix: string): NomeIa | null => {
  const name = event.startsWith(prefix) ? event.slice(prefix.length) : ''
  return isIa(name) ? name : null
}

/** Whether a rule below covers this row. Other rows are reported, so that a typing error does not pass for a label. */
export const isUnderstood = (event: string): boolean =>
  event in synonyms || event === 'no_motion' || iaOf(event, 'ia:') !== null || iaOf(event, 'sem:') !== null

/** The scene of this video: its `cena.json`, otherwise the whole frame, with the middle line if a label needs it. */
export function sceneOf(footage: Footage): Scene {
  if (footage.scene) return footage.scene
  const crossed = footage.labels.some(({ event }) => event === 'vehicle_crosses_mid_line')
  return crossed ? { ...plainScene, linha: MIDDLE_LINE } : plainScene
}

/**
 * The labels of this video for `ia`; null: none.
 *
 * Labels of an IA are complete within a video, so that other events of that IA are false. `no_motion`: no event of any
 * IA. Without fire labels there is no fire, except under a folder of fires. Every camera is in order unless a label
 * contradicts.
 */
export function expectationOf(footage: Footage, ia: NomeIa): Expectation | null {
  const { labels, fire } = footage
  const expected = labels.filter(({ event }) => (synonyms[event] ?? iaOf(event, 'ia:')) === ia)
  const flames = ia === 'fogo' && fire ? fire : []
  if (expected.length + flames.length > 0) {
    const labelled = expected.map(({ startS, endS, detail }) => ({
      startS,
      endS,
      detail,
      direcao: directionOf(ia, detail),
    }))
    const seen = flames.map((stretch) => ({ ...stretch, detail: 'chamas', direcao: null }))
    return { expected: [...labelled, ...seen].toSorted((a, b) => a.startS - b.startS), judged: [WHOLE] }
  }
  const isFire = ia === 'fogo' || ia === 'fumaca'
  if (ia === 'camera_obstruida' || (isFire && !footage.underFire && !fire)) return { expected: [], judged: [WHOLE] }
  const quiet = labels.filter(({ event }) => event === 'no_motion' || iaOf(event, 'sem:') === ia)
  return quiet.length > 0 && !(isFire && footage.underFire) ? { expected: [], judged: quiet } : null
}

function directionOf(ia: NomeIa, detail: string): 'ab' | 'ba' | null {
  if (ia !== 'cruzamento_linha') return null
  const found = /\bmoving (up|down)\b|\b(ab|ba)\b/.exec(detail)
  if (found?.[1]) return found[1] === 'down' ? 'ab' : 'ba'
  return found?.[2] === 'ab' || found?.[2] === 'ba' ? found[2] : null
}
