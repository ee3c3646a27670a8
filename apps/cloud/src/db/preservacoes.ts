import type { Preservacao } from '@vigia/contracts/retencao'
import type { Selectable } from 'kysely'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

export type PreservacaoRow = Selectable<Tables['preservacoes']>

/** The hold of an event at `now`; undefined: none. */
export const findPreservacao = (db: Database, eventoId: number, now: number): Promise<PreservacaoRow | undefined> =>
  db.selectFrom('preservacoes').selectAll().where('evento_id', '=', eventoId).where('ate', '>', now).executeTakeFirst()

export const viewPreservacao = ({ motivo, ate, por, desde }: PreservacaoRow): Preservacao => ({
  motivo,
  ate: new Date(ate).toISOString(),
  por,
  desde: new Date(desde).toISOString(),
})
