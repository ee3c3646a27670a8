import type { Lacuna } from '@vigia/contracts/candidate'
import type { Database } from '../../../db/open.ts'
import { type Absence, insertAbsences } from './clipe-store.ts'

/** Cameras of one batch whose events are searched, and their newest events. */
const MOST_CAMERAS = 4
const MOST_RECENT = 1_024

/**
 * An edge that lost the confirmation of an event may drop it later. The cloud has the event, and a gap record covers
 * its number. The quota of the edge drops the clip with the event, and no other message reports that.
 * @param gaps gap records of the quota that begin at a number that the cloud had already counted
 */
export async function settleDroppedClipes(
  tx: Database,
  edgeId: number,
  gaps: readonly Lacuna[],
  now: number,
): Promise<void> {
  const byCamera = [...Map.groupBy(gaps, ({ camera_id }) => camera_id)].slice(0, MOST_CAMERAS)
  for (const [cameraId, spans] of byCamera) {
    const recent = await tx
      .selectFrom('eventos')
      .leftJoin('clipes_eventos', 'clipes_eventos.evento_id', 'eventos.id')
      .select(['eventos.id', 'eventos.seq', 'eventos.edge_id', 'clipes_eventos.clipe_id', 'clipes_eventos.motivo'])
      .where('eventos.camera_id', '=', cameraId)
      .orderBy('eventos.id', 'desc')
      .limit(MOST_RECENT)
      .execute()
    const covered = recent.filter(
      ({ seq, edge_id }) => edge_id === edgeId && spans.some(({ de_seq, ate_seq }) => de_seq <= seq && seq <= ate_seq),
    )
    const absences = covered.flatMap(({ id, clipe_id, motivo }): Absence[] =>
      motivo === null ? [{ evento_id: id, clipe_id, motivo: 'disco_cheio' }] : [],
    )
    await insertAbsences(tx, absences, now)
  }
}
