import type { Selectable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

export type PassagemDeTurnoRow = Selectable<Tables['passagens_de_turno']>

export interface LivroFilter {
  /** null: every Empresa. */
  readonly empresas: readonly number[] | null
  readonly cameraId: number | undefined
  /** Epoch ms, inclusive. */
  readonly desde: number
  /** Epoch ms, exclusive. */
  readonly ate: number
  readonly limit: number
}

/** The newest answers of a period, newest first. */
export const listAnswersOf = (db: Database, { empresas, cameraId, desde, ate, limit }: LivroFilter) =>
  db
    .selectFrom('atendimentos as a')
    .innerJoin('incidentes as i', 'i.id', 'a.incidente_id')
    .select(['a.id', 'a.incidente_id', 'a.resposta', 'a.nota', 'a.revisor', 'a.atendido_em'])
    .where('a.atendido_em', '>=', desde)
    .where('a.atendido_em', '<', ate)
    .$if(empresas !== null, (qb) => qb.where('i.empresa_id', 'in', empresas ?? []))
    .$if(cameraId !== undefined, (qb) => qb.where('i.camera_id', '=', cameraId ?? 0))
    .orderBy('a.atendido_em', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()

/** The newest hand-overs of a period, newest first. */
export const listHandOvers = (db: Database, { empresas, desde, ate, limit }: LivroFilter) =>
  db
    .selectFrom('passagens_de_turno')
    .selectAll()
    .where('em', '>=', desde)
    .where('em', '<', ate)
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .orderBy('em', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const insertHandOver = (tx: Database, values: Omit<PassagemDeTurnoRow, 'id'>): Promise<PassagemDeTurnoRow> =>
  tx.insertInto('passagens_de_turno').values(values).returningAll().executeTakeFirstOrThrow()
