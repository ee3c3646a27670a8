import type { z } from 'zod'
import type { Ia } from './catalogue-entry.ts'
import * as registro from './registro.ts'

/** The catalogue: every registered IA with its severity, thresholds and texts. */

export type NomeIa = keyof typeof registro
export const catalogoIas: Readonly<Record<NomeIa, Ia & { readonly nome: NomeIa }>> = registro
export const nomesIas = Object.values(catalogoIas)
  .toSorted((a, b) => a.ordem - b.ordem)
  .map(({ nome }) => nome) as [NomeIa, ...NomeIa[]]

export const ia = (nome: NomeIa): Ia => catalogoIas[nome]

/** IAs that a silence never mutes. */
export const iasQueRompemSilencio: readonly string[] = nomesIas.filter((nome) => ia(nome).rompeSilencio)

/** Calibration of one camera: IA → threshold → value. */
export type ConfigIa = { [K in NomeIa]?: Record<string, number | boolean> }

/** The system defaults: every IA with every threshold. */
export const calibracaoPadrao = Object.fromEntries(
  nomesIas.map((nome) => [
    nome,
    Object.fromEntries(Object.entries(ia(nome).limiares).map(([limiar, { padrao }]) => [limiar, padrao])),
  ]),
) as Readonly<Record<NomeIa, Readonly<Record<string, number | boolean>>>>

type Catalogue = (typeof registro)[NomeIa]
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void ? I : never

/** The fields of `detalhes` of all IAs together. */
export type DetailsShape = Intersection<Catalogue['detalhes']>
export const detailsShape = Object.assign({}, ...nomesIas.map((nome) => ia(nome).detalhes)) as DetailsShape
/** The `detalhes` of an event. */
export type Detalhes = z.infer<z.ZodObject<DetailsShape>>
