import {
  type Alarm,
  type Classified,
  type Judge,
  judgeDetected,
  judgedBoxes,
  notSeen,
  type Opinion,
  percentOf,
  seenThere,
  UNPROVED,
  usualDemand,
} from './judging.ts'
import { labelNames } from './label-names.ts'

/**
 * Probabilities below which the classifier refutes. Chosen on the held-out part of the training folders
 * (apps/model-tools/training/README.md). 95 % of the true regions with flames and 93 % of those with smoke are above.
 * The limits are far below one half, because the edge used flicker and growth, but this classifier one picture. A
 * missed fire is the worst error. Smoke is hard to recognise: only regions without any similarity are refuted.
 */
const CONFIRM: ReadonlyMap<string, number> = new Map([
  ['fire', 0.1],
  ['smoke', 0.05],
])

/** The judge of flames and smoke. Flames also confirm an alarm of smoke. */
export const judgeFire: Judge = async (alarm, models) => {
  const finding = await models.inspect('fogo', { rotulos: alarm.rotulos, factors: usualDemand.factors })
  if (finding.kind === 'classified') return judgeClassified(finding, alarm)
  const opinion = judgeDetected(finding, alarm)
  // A detector of the installer also sees a single picture, so it cannot refute evidence over time.
  return opinion.decisao === 'refutado' && restsOnTime(alarm)
    ? flickers(1 - opinion.confianca, opinion.modelo)
    : opinion
}

function judgeClassified({ regions, modelo }: Classified, alarm: Alarm): Opinion {
  const labels = [...new Set([...alarm.rotulos, 'fire'])]
  /** Highest probability in any region of the alarm. */
  const best = (label: string) => Math.max(0, ...regions.map(({ seen }) => seen.get(label) ?? 0))
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

/** The verdict on an alarm from evidence over time; `value`: probability of flames in the second model. */
const flickers = (value: number, modelo: string): Opinion => ({
  decisao: 'confirmado',
  confianca: Math.max(UNPROVED, value),
  motivo:
    'O lugar tremula nas cores de uma chama, o que uma imagem não mostra ' +
    `(segundo modelo: ${percentOf(value)}). Confira a imagem.`,
  modelo,
})

/**
 * Whether the confidence of the edge's detector was below `conf`, so that colours and flicker over time raised the
 * score. A single picture cannot refute such evidence.
 */
const restsOnTime = ({ caixas, rotulos, conf }: Alarm): boolean => {
  const flames = judgedBoxes(caixas, rotulos).filter(({ rotulo }) => rotulo === 'fire')
  return flames.length > 0 && flames.every(({ confianca }) => confianca < conf)
}
