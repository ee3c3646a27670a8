import { passagesOf, takePassages } from '../../../db/passagens.ts'
import { transact } from '../../../db/transaction.ts'
import { type DiscardDeps, discardFiles } from '../../eventos/public.ts'

const BATCH = 200

/** Deletes the next passages of an Empresa with their pictures, also held ones. Returns how many. */
export async function deletePassagensOf(deps: DiscardDeps, empresaId: number): Promise<number> {
  const rows = await passagesOf(deps.db, empresaId, null).select('id').orderBy('id').limit(BATCH).execute()
  const ids = rows.map(({ id }) => id)
  const { times, files } = await transact(deps.db, (tx) => takePassages(tx, ids, null))
  await discardFiles(deps, files)
  return times.length
}
