import { type DiscardDeps, discardFiles } from './discard-files.ts'
import { takeEventos } from './review-store.ts'

/** Events of one transaction. */
const AT_ONCE = 200

/**
 * Deletes some events of an Empresa with their alert lines and pictures, also those of the training data. Returns their
 * number; 0: none is left. Their counts stay until `dropCountsOf` (db/evento-counts.ts). Files that cannot be deleted
 * stay listed for the next start.
 */
export async function deleteEventosOf(deps: DiscardDeps, empresaId: number): Promise<number> {
  const { eventos, files } = await takeEventos(deps.db, empresaId, AT_ONCE)
  await discardFiles(deps, files)
  return eventos
}
