import type { Decisao } from '@vigia/contracts/eventos'
import { type Autor, auditChange } from '../../audit/audit-change.ts'
import { moveCounts } from '../../db/evento-counts.ts'
import type { Database } from '../../db/open.ts'
import type { EventoRow } from '../../db/rows.ts'
import { viewReview } from './view-evento.ts'

interface Review {
  readonly rotulo: Decisao
  readonly revisor: string
  /** The login that says so, for the audit log. */
  readonly autor: Autor
  /** Epoch ms. */
  readonly now: number
  /** The files announced and written for it, the crop first; none: the event has no crop that could move. */
  readonly novos: readonly string[]
  /** The files that they take the place of. */
  readonly antigos: readonly string[]
}

/**
 * One transaction: the label and its record in the audit log, the new place of the crop, the counts, and which files have to
 * go. False when the crop has meanwhile moved from where `row` says, or `novos` were given up by `markFile`: then `novos` are
 * what has to go.
 */
export const saveReview = (db: Database, row: EventoRow, review: Review): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rotulo, novos, antigos } = review
    if (novos.length > 0) {
      const taken = await tx
        .deleteFrom('midias_a_apagar')
        .where('caminho', 'in', novos)
        .where('apagando', '=', 0)
        .returning('caminho')
        .execute()
      if (taken.length !== novos.length) {
        const paths = taken.map(({ caminho }) => caminho)
        await addFiles(tx, paths, 1)
        return false
      }
    }
    const found = await tx
      .updateTable('eventos')
      .set({ crop_path: novos[0] ?? row.crop_path })
      .where('id', '=', row.id)
      .where('crop_path', row.crop_path === null ? 'is' : '=', row.crop_path)
      .returning(['veredito_decisao', 'revisao_rotulo', 'revisao_revisor', 'revisado_em'])
      .executeTakeFirst()
    await addFiles(tx, found ? antigos : novos, 1)
    if (!found) return false
    const said = { revisao_rotulo: rotulo, revisao_revisor: review.revisor, revisado_em: review.now }
    await tx.updateTable('eventos').set(said).where('id', '=', row.id).execute()
    await auditChange(tx, review.now, review.autor, {
      acao: 'revisar',
      objeto: 'evento',
      id: row.id,
      nome: `${row.tipo}, ${row.camera_nome}`,
      empresaId: row.empresa_id,
      antes: viewReview(found),
      depois: viewReview(said),
    })
    const situacao = found.veredito_decisao ?? 'pendente'
    await moveCounts(tx, row, { situacao, rotulo: found.revisao_rotulo }, { situacao, rotulo })
    return true
  })

/** Writes down, before the files are, that they may come to nothing. */
export const announceFiles = (db: Database, paths: readonly string[]): Promise<void> => addFiles(db, paths, 0)

async function addFiles(db: Database, paths: readonly string[], apagando: 0 | 1): Promise<void> {
  if (paths.length === 0) return
  await db
    .insertInto('midias_a_apagar')
    .values(paths.map((caminho) => ({ caminho, apagando })))
    .execute()
}

/** From now on no review can be recorded with this file. False when one was: the file is an event's, or gone long since. */
export const markFile = async (db: Database, caminho: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('midias_a_apagar')
    .set({ apagando: 1 })
    .where('caminho', '=', caminho)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const forgetFile = async (db: Database, caminho: string): Promise<void> => {
  await db.deleteFrom('midias_a_apagar').where('caminho', '=', caminho).execute()
}

/** Every file that is written down. */
export async function listFiles(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('midias_a_apagar').select('caminho').execute()
  return rows.map(({ caminho }) => caminho)
}
