import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import type { LabelScene } from '@vigia/ias/bench-entry'
import type { Detalhes } from '@vigia/ias/catalogue'
import { benchOf } from './benches.ts'
import type { Footage } from './data-set.ts'
import type { Stretch } from './furg-labels.ts'
import { plainScene, type Scene } from './scene.ts'

/** One expected event. */
export interface Expected extends Stretch {
  readonly detail: string
  /** Values that the `detalhes` of the event must have. */
  readonly required: Partial<Detalhes>
}

/** Labels of one video for one IA. */
export interface Expectation {
  readonly expected: readonly Expected[]
  /** Stretches in which an unexpected event is false. Outside these stretches the labels are unknown. */
  readonly judged: readonly Stretch[]
}

/** The whole video, of any length. */
const WHOLE: Stretch = { startS: 0, endS: Number.POSITIVE_INFINITY }

/** Names of events in `events.csv` that map to an IA; besides them, `ia:NOME` and `sem:NOME`. */
const named = new Map<string, LabelScene & { readonly ia: NomeIa }>(
  nomesIas.flatMap((ia) =>
    Object.entries(benchOf(ia).labels ?? {}).map(([event, scene]) => [event, { ia, ...scene }] as const),
  ),
)

const isIa = (name: string): name is NomeIa => nomesIas.some((nome) => nome === name)

const iaOf = (event: string, prefix: string): NomeIa | null => {
  const name = event.startsWith(prefix) ? event.slice(prefix.length) : ''
  return isIa(name) ? name : null
}

/** Whether a rule below covers this row. Other rows are reported, so that a typing error does not pass for a label. */
export const isUnderstood = (event: string): boolean =>
  named.has(event) || event === 'no_motion' || iaOf(event, 'ia:') !== null || iaOf(event, 'sem:') !== null

/** The scene of this video: its `cena.json`, otherwise the whole frame, with the line that a label implies. */
export function sceneOf(footage: Footage): Scene {
  if (footage.scene) return footage.scene
  const [linha] = footage.labels.flatMap(({ event }) => {
    const implied = named.get(event)?.linha
    return implied ? [implied] : []
  })
  return linha ? { ...plainScene, linha } : plainScene
}

/**
 * The labels of this video for `ia`; null: none.
 *
 * Labels of an IA are complete within a video, so that other events of that IA are false. `no_motion`: no event of any
 * IA. `absentUnlabelled` of the IA decides on unlabelled footage.
 */
export function expectationOf(footage: Footage, ia: NomeIa): Expectation | null {
  const { labels, fire, underFire } = footage
  const { required, fireLabel, absentUnlabelled } = benchOf(ia)
  const labelled = labels
    .filter(({ event }) => (named.get(event)?.ia ?? iaOf(event, 'ia:')) === ia)
    .map(({ startS, endS, detail }) => ({ startS, endS, detail, required: required?.(detail) ?? {} }))
  const burning =
    fireLabel === undefined ? [] : (fire ?? []).map((stretch) => ({ ...stretch, detail: fireLabel, required: {} }))
  const expected = [...labelled, ...burning].toSorted((a, b) => a.startS - b.startS)
  if (expected.length > 0) return { expected, judged: [WHOLE] }

  const isFire = absentUnlabelled === 'outside_fires'
  if (absentUnlabelled === 'everywhere' || (isFire && !underFire && !fire)) return { expected, judged: [WHOLE] }
  const quiet = labels.filter(({ event }) => event === 'no_motion' || iaOf(event, 'sem:') === ia)
  return quiet.length > 0 && !(isFire && underFire) ? { expected, judged: quiet } : null
}
