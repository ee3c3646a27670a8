import type { Relato } from '@vigia/contracts/edge-state'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { DesiredState } from '../edges/publish-desired.ts'
import { saveReport } from './report-store.ts'

/** Far above any honest count of changes; a number beyond it is not followed. */
const MAX_VERSAO = 2 ** 40

/** Takes an edge's report into the rows of the edge and of its cameras. */
export async function applyReport(
  { db, clock, desired }: { readonly db: Database; readonly clock: Clock; readonly desired: DesiredState },
  edgeId: number,
  relato: Relato,
): Promise<void> {
  const versao = await saveReport(db, edgeId, relato, clock.now())
  if (versao === null) desired.changed(edgeId)
  // The edge runs a state newer than ours (our database came back from a copy) and would ignore every change to come.
  else if (relato.config_versao > versao && relato.config_versao < MAX_VERSAO)
    await desired.outrun(edgeId, relato.config_versao)
}
