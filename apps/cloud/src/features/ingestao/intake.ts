import type { Confirmacao } from '@vigia/contracts/candidate'
import type { Relato } from '@vigia/contracts/edge-state'
import type { Logger } from '../../http/request-log.ts'
import type { Bus } from '../alertas/bus.ts'
import type { DesiredState } from '../edges/publish-desired.ts'
import { applyReport } from './apply-report.ts'
import { type IngestDeps, ingestRecord } from './ingest-record.ts'
import { savePresence } from './report-store.ts'

/** What of the cloud's end of the link (packages/link, cloud-link.ts) the intake uses. */
interface IntakeLink {
  onRecord(handler: (edgeId: number, payload: Buffer) => Promise<void>): void
  onReport(listener: (edgeId: number, relato: Relato) => Promise<void>): void
  onPresence(listener: (edgeId: number, online: boolean) => Promise<void>): void
  publishAck(edgeId: number, confirmacao: Confirmacao): Promise<void>
}

interface IntakeDeps extends IngestDeps {
  readonly link: IntakeLink
  readonly bus: Bus
  readonly desired: DesiredState
  readonly verification: { wake(): void }
  readonly log: Logger
}

/**
 * Connects the link to the use cases. The acknowledgement is sent after the commit and for nothing else; when anything
 * before it fails the handler rejects, nothing is acknowledged, and the edge sends the record again.
 */
export function connectIntake(deps: IntakeDeps): void {
  const { link, bus, desired, verification, log, clock, db } = deps

  link.onRecord(async (edgeId, payload) => {
    const intake = await ingestRecord(deps, edgeId, payload)
    if (intake === null) {
      log.warn({ edge_id: edgeId, bytes: payload.length }, 'unreadable record dropped')
      return
    }
    const { id, tipo, resultado, motivo } = intake
    if (resultado === 'gravado' && tipo === 'candidato') {
      bus.publish({ tipo: 'alertas' })
      verification.wake()
    }
    const fields = { edge_id: edgeId, uuid: id, tipo, resultado, motivo }
    if (resultado === 'recusado') log.warn(fields, 'record refused')
    else log.info(fields, 'record stored')
    // Lost with the connection it costs nothing: the edge sends again and is told `repetido`.
    await link
      .publishAck(edgeId, { v: 1, id, resultado, motivo, enviado_em: clock.now() })
      .catch((err: unknown) => log.warn({ err, edge_id: edgeId, uuid: id }, 'acknowledgement not sent'))
  })

  link.onReport((edgeId, relato) => applyReport({ db, clock, desired }, edgeId, relato))

  link.onPresence(async (edgeId, online) => {
    const known = await savePresence(db, edgeId, online, clock.now())
    // An edge that was removed and still speaks: what it was once told to do is taken off the broker.
    if (!known && online) desired.changed(edgeId)
  })
}
