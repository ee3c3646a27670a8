import { gravidades } from '@vigia/contracts/ias'
import { findEvent } from '../../../db/eventos.ts'
import { listLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { breaksSilence, silencedCameras } from '../../../db/silencios.ts'
import { enqueueDeliveries } from '../delivery/delivery-work.ts'
import { insertEnvios, listNotified, listReached } from './store.ts'

/**
 * Queues a confirmed event for the subscribed browsers in the transaction of its verdict. A browser gets one message
 * per incidente, and another one when a graver event is confirmed in it. A silenced camera sends only what
 * `breaksSilence` names, and what a walk test causes.
 */
export async function enqueuePush(tx: Database, eventoId: number, now: number): Promise<void> {
  const row = await findEvent(tx, eventoId, null)
  if (!row) throw new Error(`event ${eventoId} to notify is missing`)
  const { empresa_id: empresaId, camera_id: cameraId, incidente_id: incidenteId } = row
  if (row.prova === 0 && !breaksSilence(row) && (await silencedCameras(tx, [cameraId], now)).has(cameraId)) return
  const lineage = await listLineage(tx, empresaId)
  const rank = gravidades.indexOf(row.gravidade)
  const scope = [empresaId, ...lineage.map(({ id }) => id)]
  const reached = (await listReached(tx, empresaId, scope, gravidades.slice(0, rank + 1))).map(({ id }) => id)
  const subject = incidenteId === null ? `evento-${eventoId}` : `incidente-${incidenteId}`
  const asGrave = gravidades.slice(rank).map((level) => `${subject}/${level}`)
  const notified = await listNotified(tx, reached, [subject, ...asGrave])
  const envios = await insertEnvios(
    tx,
    reached.filter((id) => !notified.has(id)),
    { evento_id: eventoId, etiqueta: `${subject}/${row.gravidade}`, criado_em: now },
  )
  await enqueueDeliveries(
    tx,
    envios.map(({ id, inscricao_id }) => ({
      tipo: 'push' as const,
      id,
      empresaId,
      // A browser gets one message at a time, so that a summary carries no message that is being sent.
      lane: `push:${inscricao_id}`,
    })),
    now,
  )
}
