import type { Camera } from '@vigia/contracts/cameras'
import { type ConfigIa, calibracaoPadrao, ia, type Limiar, type NomeIa } from '@vigia/contracts/ias'
import { formatNumber } from '../../../texts/locale.ts'

/** Name of the form field of a threshold. A dot would be a path for the form. */
export const fieldOf = (nome: NomeIa, limiar: string): string => `${nome}__${limiar}`

/** Names of the thresholds of an IA. */
export const thresholdsOf = (nome: NomeIa): readonly string[] => Object.keys(ia(nome).limiares)

export const limitsOf = (nome: NomeIa, limiar: string): Limiar | undefined => ia(nome).limiares[limiar]

export const isWhole = ({ unidade }: Limiar): boolean =>
  unidade === 'quadros' || unidade === 'pessoas' || unidade === 'objetos' || unidade === 'codigo'

/** A value as the fields show it. */
const textOf = (value: number | boolean | undefined): string =>
  typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 10, useGrouping: false }) : String(value)

/** Values of the form: the saved value of each threshold of the enabled IAs, else its default. */
export const formOf = ({ eventos_habilitados, config_ia }: Pick<Camera, 'eventos_habilitados' | 'config_ia'>) =>
  Object.fromEntries(
    eventos_habilitados.flatMap((nome) =>
      thresholdsOf(nome).map((limiar) => [
        fieldOf(nome, limiar),
        textOf(config_ia[nome]?.[limiar] ?? calibracaoPadrao[nome][limiar]),
      ]),
    ),
  )

export type ThresholdProblem = 'numero' | 'inteiro' | 'limites'

/** A decimal with a point or, as people type it in Portuguese, with a comma. */
const numberOf = (text: string): number =>
  /^\s*-?\d+([.,]\d+)?\s*$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN

/** The problem of one field; null: none. */
export function problemOf(limits: Limiar, text: string): ThresholdProblem | null {
  if (limits.unidade === 'booleano') return null
  const value = numberOf(text)
  if (Number.isNaN(value)) return 'numero'
  if (value < limits.minimo || value > limits.maximo) return 'limites'
  return isWhole(limits) && !Number.isInteger(value) ? 'inteiro' : null
}

const parsed = (limits: Limiar, text: string): number | boolean =>
  limits.unidade === 'booleano' ? text === 'true' : numberOf(text)

/** Whether the form holds another value than the camera, or a text that is no value. */
export const isChanged = (
  camera: Pick<Camera, 'eventos_habilitados' | 'config_ia'>,
  form: Readonly<Record<string, string>>,
): boolean =>
  camera.eventos_habilitados.some((nome) =>
    thresholdsOf(nome).some((limiar) => {
      const limits = limitsOf(nome, limiar)
      const text = form[fieldOf(nome, limiar)]
      if (!limits || text === undefined) return false
      return (
        problemOf(limits, text) !== null || parsed(limits, text) !== (camera.config_ia[nome]?.[limiar] ?? limits.padrao)
      )
    }),
  )

/**
 * `config_ia` with the values of the form. A default that the camera does not store is left out, so that a later
 * default applies to it. Settings of IAs that are off stay.
 */
export function configOf(
  { eventos_habilitados, config_ia }: Pick<Camera, 'eventos_habilitados' | 'config_ia'>,
  form: Readonly<Record<string, string>>,
): ConfigIa {
  const config: ConfigIa = { ...config_ia }
  for (const nome of eventos_habilitados) {
    const own = thresholdsOf(nome).flatMap((limiar) => {
      const limits = limitsOf(nome, limiar)
      const text = form[fieldOf(nome, limiar)]
      if (!limits || text === undefined) return []
      const value = parsed(limits, text)
      const stored = config_ia[nome]?.[limiar] !== undefined
      return value === limits.padrao && !stored ? [] : [[limiar, value] as const]
    })
    if (own.length > 0) config[nome] = Object.fromEntries(own)
  }
  return config
}
