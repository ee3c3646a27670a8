import type { Relato } from '@vigia/contracts/edge-state'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { AllowedCertificates, DesiredState } from '../../locais/public.ts'
import { saveReport } from './report-store.ts'

/** Upper bound of a plausible version; larger reported versions are ignored. */
const MAX_VERSAO = 2 ** 40

export interface ReportDeps {
  readonly db: Database
  readonly clock: Clock
  /** Time that ages count against; default: `clock`. */
  readonly ages?: Clock
  readonly desired: DesiredState
  readonly allowed: AllowedCertificates
  readonly log: Logger
}

/** Stores an edge's report in the rows of the edge and of its cameras. */
export async function applyReport(deps: ReportDeps, edgeId: number, relato: Relato): Promise<void> {
  const { db, clock, ages, desired, allowed, log } = deps
  const saved = await saveReport(db, edgeId, relato, clock.now(), (ages ?? clock).now())
  if (saved === null) {
    // The edge was removed but is still connected: its retained desired state is deleted from the broker.
    desired.changed(edgeId)
    return
  }
  const { versao, identity, restarted, certificateReplaced } = saved
  if (identity === 'duplicated')
    log.error({ edge_id: edgeId }, 'two programs alternate on one identity: a copied disk; activate one of them again')
  if (identity === 'settled') log.info({ edge_id: edgeId }, 'the identity of the edge is no longer duplicated')
  // A restarted program may have lost its sequence numbers: it receives them again.
  if (identity !== null || restarted) desired.changed(edgeId)
  if (certificateReplaced) {
    log.info({ edge_id: edgeId }, 'renewed certificate in use; previous one revoked')
    await allowed.changed()
  }
  // After a restored backup the edge runs a newer state than the database and would ignore all changes.
  if (relato.config_versao > versao && relato.config_versao < MAX_VERSAO)
    await desired.outrun(edgeId, relato.config_versao)
}
