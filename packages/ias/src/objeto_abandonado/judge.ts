import { detectionJudge, type Judge, UNPROVED, unsure } from '../judging.ts'
import { labelNames } from '../label-names.ts'
import { STILL_LABELS } from '../tasks/parados.ts'

/**
 * Such networks detect bags least reliably: a lower confidence is enough, in regions of two sizes. Nothing refutes,
 * because no footage shows how often the model misses a bag.
 */
const bags = detectionJudge('objetos', { confirm: 0.4, absent: 0, share: 0, factors: [2, 3] })

const still: readonly string[] = Object.values(STILL_LABELS)

/** The second model knows no classes for objects of the background model. */
export const judge: Judge = async (alarm, models) => {
  const [first] = alarm.caixas
  if (!first || !still.includes(first.rotulo)) return bags(alarm, models)
  const motivo = unsure(labelNames([first.rotulo]))
  return { decisao: 'confirmado', certeza: 'baixa', confianca: UNPROVED, motivo, modelo: 'imagem' }
}
