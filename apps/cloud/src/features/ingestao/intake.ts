import type { RespostaCentral } from '@vigia/contracts/candidate'
import type { Relato } from '@vigia/contracts/edge-state'
import type { Bus } from '../../adapters/bus.ts'
import type { DiskSpace } from '../../adapters/disk-space.ts'
import type { Logger } from '../../http/request-log.ts'
import { applyReport, type ReportDeps } from './apply-report.ts'
import { type IngestDeps, type Ingested, ingestBatch } from './ingest-batch.ts'
import type { Pace } from './pace.ts'
import { savePresence } from './report-store.ts'
import { isActivatedEdge } from './store.ts'

/** What of the cloud's end of the link (packages/link, cloud-link.ts) the intake uses. */
interface IntakeLink {
  onBatch(handler: (edgeId: number, payload: Buffer) => Promise<void>): void
  onReport(listener: (edgeId: number, relato: Relato) => Promise<void>): void
  onPresence(listener: (edgeId: number, online: boolean) => Promise<void>): void
  publishAnswer(edgeId: number, resposta: RespostaCentral): Promise<void>
}

interface IntakeDeps extends IngestDeps, ReportDeps {
  readonly link: IntakeLink
  readonly bus: Bus
  readonly verification: { wake(): void }
  readonly disk: Pick<DiskSpace, 'hasSpace' | 'failed'>
  readonly pace: Pace
}

/**
 * Connects the link to the use cases. The answer to a batch is sent after the commit and for nothing else; when anything
 * before it fails the handler rejects, nothing is answered, and the edge sends the records again. On a full disk no batch is taken.
 */
export function connectIntake(deps: IntakeDeps): void {
  const { link, bus, disk, pace, desired, verification, log, clock, db } = deps

  /** Lost with the connection it costs nothing: the edge sends again, and asks again. */
  const answer = (edgeId: number, resposta: RespostaCentral) =>
    link
      .publishAnswer(edgeId, resposta)
      .catch((err: unknown) => log.warn({ err, edge_id: edgeId, tipo: resposta.tipo }, 'answer not sent'))

  /** Returns how many records the batch had. */
  async function take(edgeId: number, payload: Buffer): Promise<number> {
    if (!disk.hasSpace()) {
      log.debug({ edge_id: edgeId, bytes: payload.length }, 'batch not taken: the disk is full')
      return 0
    }
    const ingested = await ingestBatch(deps, edgeId, payload).catch((error: unknown) => {
      disk.failed(error)
      throw error
    })
    if (!ingested.ok) {
      log.warn({ edge_id: edgeId, bytes: payload.length, motivo: ingested.motivo }, 'unreadable batch dropped')
      return 0
    }
    if (ingested.eventos > 0) {
      bus.publish({ tipo: 'alertas' })
      verification.wake()
    }
    const { respostas } = ingested
    if (respostas.length === 0) {
      log.warn({ edge_id: edgeId }, 'batch not answered: the edge is not activated, or its records have no name')
      return 0
    }
    report(log, edgeId, ingested)
    await answer(edgeId, { tipo: 'registros', v: 2, itens: [...respostas] })
    return respostas.length
  }

  link.onBatch((edgeId, payload) => pace.run(edgeId, payload.length, () => take(edgeId, payload)))

  link.onReport(async (edgeId, relato) => {
    const t2 = clock.now()
    await applyReport(deps, edgeId, relato)
    if (await isActivatedEdge(db, edgeId))
      await answer(edgeId, { tipo: 'eco', v: 2, t1: relato.enviado_em, t2, t3: clock.now() })
  })

  link.onPresence(async (edgeId, online) => {
    const known = await savePresence(db, edgeId, online, clock.now())
    // An edge that was removed and still speaks: what it was once told to do is taken off the broker.
    if (!known && online) desired.changed(edgeId)
  })
}

/** What became of a batch, in lines of bounded number and length. */
function report(log: Logger, edgeId: number, { respostas, numerosUsados }: Extract<Ingested, { ok: true }>): void {
  const count = (wanted: string) => respostas.filter(({ resultado }) => resultado === wanted).length
  const refused = respostas.filter(({ resultado }) => resultado === 'recusado')
  const fields = {
    edge_id: edgeId,
    gravados: count('gravado'),
    repetidos: count('repetido'),
    fora_de_ordem: count('fora_de_ordem'),
    recusados: refused.length,
  }
  log.info(fields, 'batch stored')
  if (refused.length > 0)
    log.warn(
      { edge_id: edgeId, recusados: refused.slice(0, SHOWN).map(({ id, motivo }) => ({ uuid: id, motivo })) },
      'records refused',
    )
  if (numerosUsados.length > 0)
    log.warn(
      { edge_id: edgeId, eventos: numerosUsados.slice(0, SHOWN), total: numerosUsados.length },
      'sequence numbers used twice: another copy of the disk of this box may be in use',
    )
}

/** Most records that one line of the log names. */
const SHOWN = 10
