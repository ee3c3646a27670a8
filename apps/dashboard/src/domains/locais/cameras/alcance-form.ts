import type { Alcance } from '@vigia/contracts/alcance'
import type { Me } from '@vigia/contracts/sessoes'

/** `lista`: the ids of the chosen Empresas, separated by commas. */
export type CampoAlcance = 'alcance' | 'lista'
type FormularioAlcance = Readonly<Record<CampoAlcance, string>>

/** `alcance` is empty until a person chooses: the cloud then takes the default of the papel. */
export const emptyAlcance: Record<CampoAlcance, string> = { alcance: '', lista: '' }

export const idsOf = (lista: string): number[] => lista.split(',').filter(Boolean).map(Number)

export const alcanceFormOf = (alcance: Alcance): Record<CampoAlcance, string> =>
  typeof alcance === 'string' ? { alcance, lista: '' } : { alcance: 'lista', lista: alcance.join() }

/** The reach in the body; nothing while it is the default. */
export const chosenAlcance = ({ alcance, lista }: FormularioAlcance): { alcance?: Alcance } => {
  if (alcance === 'lista') return { alcance: idsOf(lista) }
  return alcance === 'propria' || alcance === 'abaixo' ? { alcance } : {}
}

export const checkAlcance = ({ alcance, lista }: FormularioAlcance): { alcance?: 'listaFalta' } =>
  alcance === 'lista' && lista === '' ? { alcance: 'listaFalta' } : {}

/** Value of the field before a person chooses, as the cloud takes it. @param administra whether the papel is that */
export const usualAlcance = (me: Pick<Me, 'alcance'>, administra: boolean): 'propria' | 'abaixo' =>
  administra && me.alcance === 'abaixo' ? 'abaixo' : 'propria'
