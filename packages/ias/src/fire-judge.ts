import {
  type Alarm,
  type Classified,
  type Judge,
  judgeDetected,
  judgedBoxes,
  type Opinion,
  seenThere,
  UNPROVED,
  unsure,
  usualDemand,
} from './judging.ts'
import { labelNames } from './label-names.ts'

/** Probability of the classifier that confirms surely. Below it the classifier does not decide, and never refutes. */
const CONFIRM = 0.8

/** The judge of flames and smoke. Flames also confirm an alarm of smoke. A missed fire is the worst error. */
export const judgeFire: Judge = async (alarm, models) => {
  const finding = await models.inspect('fogo', { rotulos: alarm.rotulos, factors: usualDemand.factors })
  if (finding.kind === 'classified') return judgeClassified(finding, alarm)
  // A detector of the installer also sees a single picture, so it cannot refute evidence over time.
  const opinion = judgeDetected(finding, alarm, { ...usualDemand, absent: 0 })
  return opinion.certeza === 'baixa' && restsOnTime(alarm) ? flickers(opinion.modelo) : opinion
}

function judgeClassified({ regions, modelo }: Classified, alarm: Alarm): Opinion {
  const labels = [...new Set([...alarm.rotulos, 'fire'])]
  /** Highest probability in any region of the alarm. */
  const best = (label: string) => Math.max(0, ...regions.map(({ seen }) => seen.get(label) ?? 0))
  const value = Math.max(...labels.map(best))
  const what = labelNames(labels)
  if (value >= CONFIRM)
    return { decisao: 'confirmado', certeza: 'alta', confianca: value, motivo: seenThere(what), modelo }
  if (restsOnTime(alarm)) return flickers(modelo)
  return { decisao: 'confirmado', certeza: 'baixa', confianca: UNPROVED, motivo: unsure(what), modelo }
}

/** The verdict on an alarm from evidence over time that the picture does not show. */
const flickers = (modelo: string): Opinion => ({
  decisao: 'confirmado',
  certeza: 'baixa',
  confianca: UNPROVED,
  motivo: 'O lugar tremula nas cores de uma chama, o que uma imagem não mostra. Confira a imagem.',
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
