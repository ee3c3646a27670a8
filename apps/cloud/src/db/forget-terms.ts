import type { Database } from './open.ts'
import { isPostgres } from './postgres-dialect.ts'

const tables = ['busca_eventos', 'busca_incidentes'] as const

/** Deletes these words if nothing is found by them any more: a word can be a plate, or of a note. @param ids sorted */
export async function forgetTerms(tx: Database, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    if (await isUsed(tx, id)) continue
    // A posting that another transaction adds holds the row. The next statement then sees the posting.
    if (isPostgres(tx)) {
      await tx.selectFrom('busca_termos').select('id').where('id', '=', id).forUpdate().execute()
      if (await isUsed(tx, id)) continue
    }
    await tx.deleteFrom('busca_termos').where('id', '=', id).execute()
  }
}

async function isUsed(tx: Database, id: number): Promise<boolean> {
  for (const table of tables)
    if (await tx.selectFrom(table).select('alvo_id').where('termo_id', '=', id).limit(1).executeTakeFirst()) return true
  return false
}
