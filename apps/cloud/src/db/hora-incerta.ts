import type { Candidato } from '@vigia/contracts/candidate'
import type { HoraIncerta } from '@vigia/contracts/hora-incerta'

/** Earliest and latest time of a record, in epoch ms; null: its time is known. */
export interface UncertainRow {
  readonly hora_de: number | null
  readonly hora_ate: number | null
}

/** The columns of a record of an edge. */
export const uncertainColumns = ({ hora_incerta }: Pick<Candidato, 'hora_incerta'>): UncertainRow => ({
  hora_de: hora_incerta?.de ?? null,
  hora_ate: hora_incerta?.ate ?? null,
})

/** The field of an answer, which is absent if the time is known. */
export const viewUncertain = ({ hora_de, hora_ate }: UncertainRow): { readonly hora_incerta?: HoraIncerta } =>
  hora_de === null || hora_ate === null
    ? {}
    : { hora_incerta: { de: new Date(hora_de).toISOString(), ate: new Date(hora_ate).toISOString() } }
