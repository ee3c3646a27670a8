import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import type { Footage } from './data-set.ts'
import type { Stretch } from './furg-labels.ts'
import { plainScene, type Scene } from './scene.ts'

/** One event that should come. */
export interface Expected extends Stretch {
  readonly detail: string
  /** cruzamento_linha: only this way counts. */
  readonly direcao: 'ab' | 'ba' | null
}

/** What the labels of one video say of one IA. */
export interface Expectation {
  readonly expected: readonly Expected[]
  /** Where an event that nobody expects is false. Elsewhere the labels say nothing. */
  readonly judged: readonly Stretch[]
}

/** All of a video, however long. */
const WHOLE: Stretch = { startS: 0, endS: Number.POSITIVE_INFINITY }
/** The line of `vehicle_crosses_mid_line`: from left to right, so that who moves down the picture goes from its left to its right: `ab`. */
const MIDDLE_LINE = [
  [0, 0.5],
  [1, 0.5],
]

/** Names of the events in `events.csv` that stand for an IA; besides them, `ia:NOME` and `sem:NOME`. */
const synonyms: Readonly<Record<string, NomeIa>> = {
  person_present: 'invasao',
  vehicle_crosses_mid_line: 'cruzamento_linha',
}

const isIa = (name: string): name is NomeIa => nomesIas.some((nome) => nome === name)

const iaOf = (event: string, prefix: string): NomeIa | null => {
  const name = event.startsWith(prefix) ? event.slice(prefix.length) : ''
  return isIa(name) ? name : null
}

/** Rows that no rule below understands: reported, so that a slip of the pen is not taken for a label. */
export const isUnderstood = (event: string): boolean =>
  event in synonyms || event === 'no_motion' || iaOf(event, 'ia:') !== null || iaOf(event, 'sem:') !== null

/** How the camera of this video is set: its `cena.json`, else the whole frame, with the middle line where the labels speak of it. */
export function sceneOf(footage: Footage): Scene {
  if (footage.scene) return footage.scene
  const crossed = footage.labels.some(({ event }) => event === 'vehicle_crosses_mid_line')
  return crossed ? { ...plainScene, linha: MIDDLE_LINE } : plainScene
}

/**
 * What the labels say of `ia` in this video; null: nothing.
 *
 * A video with a label of an IA has all labels of it, so other events of that IA are false. `no_motion`: nothing happens, whatever
 * the IA. Where no fire is labelled and the folder is not one of fires there is none. Every picture is taken to be of a camera in
 * order unless the labels say otherwise.
 */
export function expectationOf(footage: Footage, ia: NomeIa): Expectation | null {
  const { labels, fire } = footage
  const expected = labels.filter(({ event }) => (synonyms[event] ?? iaOf(event, 'ia:')) === ia)
  const flames = ia === 'fogo' && fire ? fire : []
  if (expected.length + flames.length > 0) {
    const told = expected.map(({ startS, endS, detail }) => ({
      startS,
      endS,
      detail,
      direcao: directionOf(ia, detail),
    }))
    const seen = flames.map((stretch) => ({ ...stretch, detail: 'chamas', direcao: null }))
    return { expected: [...told, ...seen].toSorted((a, b) => a.startS - b.startS), judged: [WHOLE] }
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
