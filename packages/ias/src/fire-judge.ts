import {
  type Alarm,
  type Classified,
  type Judge,
  judgeDetected,
  notSeen,
  type Opinion,
  percentOf,
  seenThere,
  tellingBoxes,
  UNPROVED,
  usualDemand,
} from './judging.ts'
import { labelNames } from './label-names.ts'

/**
 * Below these the classifier did not see it. Chosen on the held-out part of the training folders (apps/model-tools/training/README.md, "Second
 * look"): of the true places with flames 95 % are above, of those with smoke 93 %. Far below one half, since it sees one picture where the
 * edge saw the place flicker or spread, and a missed fire is the worst that can happen. Smoke is seen badly: what this refutes is only what
 * is nothing like it.
 */
const CONFIRM: ReadonlyMap<string, number> = new Map([
  ['fire', 0.1],
  ['smoke', 0.05],
])

/** The second look at flames and smoke. Flames confirm smoke as well, which comes from them. */
export const judgeFire: Judge = async (alarm, looks) => {
  const finding = await looks.inspect('fogo', { rotulos: alarm.rotulos, factors: usualDemand.factors })
  if (finding.kind === 'classified') return judgeClassified(finding, alarm)
  const opinion = judgeDetected(finding, alarm)
  // Neither can a detector that an installer brings refute what no single picture can.
  return opinion.decisao === 'refutado' && restsOnTime(alarm)
    ? flickers(1 - opinion.confianca, opinion.modelo)
    : opinion
}

function judgeClassified({ places, modelo }: Classified, alarm: Alarm): Opinion {
  const labels = [...new Set([...alarm.rotulos, 'fire'])]
  /** Highest probability at any place of the alarm. */
  const best = (label: string) => Math.max(0, ...places.map(({ seen }) => seen.get(label) ?? 0))
  const value = Math.max(...labels.map(best))
  const what = labelNames(labels)
  if (restsOnTime(alarm)) return flickers(value, modelo)
  if (!labels.some((label) => best(label) >= (CONFIRM.get(label) ?? 1)))
    return { decisao: 'refutado', confianca: 1 - value, motivo: notSeen(what, value), modelo }
  const motivo =
    value >= UNPROVED
      ? seenThere(what, value)
      : `Segundo modelo não descarta ${what} no lugar (${percentOf(value)}). Confira a imagem.`
  return { decisao: 'confirmado', confianca: Math.max(UNPROVED, value), motivo, modelo }
}

/** The verdict on what rests on time, when the second model saw flames with this probability. */
const flickers = (value: number, modelo: string): Opinion => ({
  decisao: 'confirmado',
  confianca: Math.max(UNPROVED, value),
  motivo: `O lugar tremula nas cores de uma chama, o que uma imagem não mostra (segundo modelo: ${percentOf(value)}). Confira a imagem.`,
  modelo,
})

/**
 * Whether the edge's detector by itself was less sure of the flames than is asked, so that colours and flicker over time made up for it: no single
 * picture can refute those.
 */
const restsOnTime = ({ caixas, rotulos, conf }: Alarm): boolean => {
  const flames = tellingBoxes(caixas, rotulos).filter(({ rotulo }) => rotulo === 'fire')
  return flames.length > 0 && flames.every(({ confianca }) => confianca < conf)
}
