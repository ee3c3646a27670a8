import { listForDeletion } from '../../db/midias-a-apagar.ts'
import { deletePassages } from '../../db/passagens.ts'
import { transact } from '../../db/transaction.ts'
import { type DiscardDeps, discardFiles } from '../eventos/discard-files.ts'

const BATCH = 200

/** Deletes the next passages of an Empresa with their pictures. Returns how many. */
export async function deletePassagensOf(deps: DiscardDeps, empresaId: number): Promise<number> {
  const { times, files } = await transact(deps.db, async (tx) => {
    const taken = await deletePassages(tx, { empresaId, before: Number.MAX_SAFE_INTEGER, limit: BATCH })
    await listForDeletion(tx, taken.files)
    return taken
  })
  await discardFiles(deps, files)
  return times.length
}
