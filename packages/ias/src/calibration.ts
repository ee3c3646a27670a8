import { type ConfigIa, calibracaoPadrao, type NomeIa, nomesIas } from './catalogue.ts'

/** Threshold name → value. */
export type Limiares = Readonly<Record<string, number | boolean>>

/** The thresholds in force (`efetiva`): saved values, else system defaults. Unknown names are left out. */
export const mergeCalibration = (salva: ConfigIa): Record<NomeIa, Record<string, number | boolean>> =>
  Object.fromEntries(nomesIas.map((nome) => [nome, mergeOne(nome, salva[nome] ?? {})])) as Record<
    NomeIa,
    Record<string, number | boolean>
  >

function mergeOne(nome: NomeIa, saved: Limiares): Record<string, number | boolean> {
  const merged = Object.entries(calibracaoPadrao[nome]).map(([limiar, padrao]) => {
    const value = Object.hasOwn(saved, limiar) ? saved[limiar] : undefined
    return [limiar, typeof value === typeof padrao && value !== undefined ? value : padrao]
  })
  return Object.fromEntries(merged)
}

/** The value in force for `limiar`; the default if the calibration lacks it (an older cloud, a newer threshold). */
export function threshold(nome: NomeIa, calibracao: Limiares, limiar: string): number {
  const value = mergeOne(nome, calibracao)[limiar]
  if (value === undefined) throw new Error(`IA ${nome} has no threshold ${limiar}`)
  return Number(value)
}
