import type { Relato } from '@vigia/contracts/edge-state'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import type { AllowedCertificates } from '../edges/publish-allowed.ts'
import type { DesiredState } from '../edges/publish-desired.ts'
import { saveReport } from './report-store.ts'

/** Far above any honest count of changes; a number beyond it is not followed. */
const MAX_VERSAO = 2 ** 40

export interface ReportDeps {
  readonly db: Database
  readonly clock: Clock
  readonly desired: DesiredState
  readonly allowed: AllowedCertificates
  readonly log: Logger
}

/** Takes an edge's report into the rows of the edge and of its cameras. */
export async function applyReport(deps: ReportDeps, edgeId: number, relato: Relato): Promise<void> {
  const { db, clock, desired, allowed, log } = deps
  const saved = await saveReport(db, edgeId, relato, clock.now())
  if (saved === null) {
    // An edge that was removed and still speaks: what it was once told to do is taken off the broker.
    desired.changed(edgeId)
    return
  }
  const { versao, identity, restarted, certificateReplaced } = saved
  if (identity === 'duplicated')
    log.error({ edge_id: edgeId }, 'two boxes take turns with one identity: a copied disk; activate one of them anew')
  if (identity === 'settled') log.info({ edge_id: edgeId }, 'one box uses the identity of the edge again')
  // A program that has just started may have lost its count: it is told anew where the count stands.
  if (identity !== null || restarted) desired.changed(edgeId)
  if (certificateReplaced) {
    log.info({ edge_id: edgeId }, 'renewed certificate in use; the one before is revoked')
    await allowed.changed()
  }
  // The edge runs a state newer than ours (our database came back from a copy) and would ignore every change to come.
  if (relato.config_versao > versao && relato.config_versao < MAX_VERSAO)
    await desired.outrun(edgeId, relato.config_versao)
}
