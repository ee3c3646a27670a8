import { burningProbability, FIRE_CONFIRM } from './head-calibration.ts'
import {
  type Alarm,
  type Classified,
  type Judge,
  judgeDetected,
  judgedBoxes,
  type Opinion,
  seenThere,
  unsure,
  usualDemand,
} from './judging.ts'
import { labelNames } from './label-names.ts'

/** The judge of flames and smoke. It never refutes: one picture shows neither flicker nor growth. */
export const judgeFire: Judge = async (alarm, models) => {
  const finding = await models.inspect('fogo', { rotulos: alarm.rotulos, factors: usualDemand.factors })
  const opinion =
    finding.kind === 'classified'
      ? judgeClassified(finding, alarm)
      : judgeDetected(finding, alarm, { ...usualDemand, absent: 0 })
  return opinion.certeza === 'baixa' && restsOnTime(alarm) ? { ...opinion, motivo: FLICKERS } : opinion
}

/** One burning place is enough. */
function judgeClassified({ regions, modelo }: Classified, alarm: Alarm): Opinion {
  const confianca = Math.max(
    ...regions.map(({ first, seen }) => {
      const rotulo = first?.rotulo ?? alarm.rotulos[0] ?? 'fire'
      // Flames also confirm an alarm of smoke.
      const second = Math.max(seen.get(rotulo) ?? 0, seen.get('fire') ?? 0)
      return burningProbability(modelo, rotulo, second, first?.confianca ?? null)
    }),
  )
  const what = labelNames([...alarm.rotulos, 'fire'])
  return confianca >= FIRE_CONFIRM
    ? { decisao: 'confirmado', certeza: 'alta', confianca, motivo: seenThere(what), modelo }
    : { decisao: 'confirmado', certeza: 'baixa', confianca, motivo: unsure(what), modelo }
}

const FLICKERS = 'O lugar tremula nas cores de uma chama, o que uma imagem não mostra. Confira a imagem.'

/**
 * Whether the confidence of the edge's detector was below `conf`, so that colours and flicker over time raised the
 * score.
 */
const restsOnTime = ({ caixas, rotulos, conf }: Alarm): boolean => {
  const flames = judgedBoxes(caixas, rotulos).filter(({ rotulo }) => rotulo === 'fire')
  return flames.length > 0 && flames.every(({ confianca }) => confianca < conf)
}
