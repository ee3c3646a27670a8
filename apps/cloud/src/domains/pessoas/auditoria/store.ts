import type { AcaoAuditoria, CanalAuditoria, ObjetoAuditoria } from '@vigia/contracts/auditoria'
import type { Selectable } from 'kysely'
import { pagesByParts } from '../../../db/id-parts.ts'
import type { Pages } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

export type RecordRow = Selectable<Tables['auditoria']>

export interface RecordFilter {
  /** null: all Empresas and the installation. */
  readonly empresas: readonly number[] | null
  readonly usuarioId: number | undefined
  readonly objeto: ObjetoAuditoria | undefined
  readonly objetoId: number | undefined
  readonly acao: AcaoAuditoria | undefined
  readonly canal: CanalAuditoria | undefined
  /** Epoch ms, inclusive. */
  readonly desde: number | undefined
  /** Epoch ms, exclusive. */
  readonly ate: number | undefined
}

const filtered = (db: Database, { empresas, usuarioId, objeto, objetoId, acao, canal, desde, ate }: RecordFilter) =>
  db
    .selectFrom('auditoria')
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(usuarioId !== undefined, (qb) => qb.where('usuario_id', '=', usuarioId ?? 0))
    .$if(objeto !== undefined, (qb) => qb.where('objeto', '=', objeto ?? ''))
    .$if(objetoId !== undefined, (qb) => qb.where('objeto_id', '=', objetoId ?? 0))
    .$if(acao !== undefined, (qb) => qb.where('acao', '=', acao ?? ''))
    .$if(canal !== undefined, (qb) => qb.where('canal', '=', canal ?? 'sistema'))
    .$if(desde !== undefined, (qb) => qb.where('em', '>=', desde ?? 0))
    .$if(ate !== undefined, (qb) => qb.where('em', '<', ate ?? 0))

/** Newest first by insertion order, independent of the clock. */
export const recordsOf = (db: Database, filter: RecordFilter): Pages<RecordRow> =>
  pagesByParts(db, 'auditoria', filtered(db, filter))
