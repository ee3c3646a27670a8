import { type ConfigIa, calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import { PERSON_PX_MIN, streamHeight } from './camera-advice.ts'
import { limitsOf } from './thresholds.ts'

/** Steps of the slider, from "não perder nada" to "menos alarmes"; 0: the defaults of the IA. */
export const RIGORES = ['-2', '-1', '0', '1', '2'] as const
export type Rigor = (typeof RIGORES)[number]

/** Change of the confidence of one step. */
const CONF_STEP = 0.1
/** Factor of the smallest area of one step. */
const AREA_FACTOR = 2

const padrao = (nome: NomeIa, limiar: string): number => Number(calibracaoPadrao[nome][limiar] ?? 0)

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

function within(nome: NomeIa, limiar: string, value: number): number {
  const limits = limitsOf(nome, limiar)
  return limits ? rounded(Math.min(limits.maximo, Math.max(limits.minimo, value))) : value
}

/** The thresholds of one step of the slider: the surer and the larger an object must be, the fewer alarms. */
export const valuesOf = (nome: NomeIa, rigor: Rigor): { readonly conf: number; readonly area_min: number } => ({
  conf: within(nome, 'conf', padrao(nome, 'conf') + Number(rigor) * CONF_STEP),
  area_min: within(nome, 'area_min', padrao(nome, 'area_min') * AREA_FACTOR ** Number(rigor)),
})

/** The step whose confidence is nearest to that of a calibration. */
export function rigorOf(nome: NomeIa, config: ConfigIa[NomeIa]): Rigor {
  const conf = Number(config?.conf ?? padrao(nome, 'conf'))
  const distance = (rigor: Rigor) => Math.abs(valuesOf(nome, rigor).conf - conf)
  return RIGORES.reduce((best, one) => (distance(one) < distance(best) ? one : best), '0')
}

/** Width of a standing person by its height. */
const PERSON_RATIO = 0.4

/**
 * The smallest person that is still found, as fractions of the frame: of the smallest area, and not smaller than the
 * model finds.
 * @param ratio width of the frame by its height
 */
export function smallestPerson(areaMin: number, resolucao: string | null, ratio: number) {
  const pixels = streamHeight(resolucao)
  const found = pixels === null ? 0 : PERSON_PX_MIN / pixels
  const h = Math.min(1, Math.max(found, Math.sqrt((areaMin * ratio) / PERSON_RATIO)))
  return { w: (h * PERSON_RATIO) / ratio, h }
}
