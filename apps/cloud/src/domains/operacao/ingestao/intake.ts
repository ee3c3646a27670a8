import type { RespostaCentral } from '@vigia/contracts/candidate'
import type { Relato } from '@vigia/contracts/edge-state'
import type { Bus } from '../../../adapters/bus.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import type { Logger } from '../../../http/request-log.ts'
import { SPACE_WAIT_S } from '../../../scope/media-space.ts'
import type { KeyframeRequests } from '../../locais/public.ts'
import { applyReport, type ReportDeps } from './apply-report.ts'
import { type IngestDeps, type Ingested, ingestBatch } from './ingest-batch.ts'
import { ingestExtras } from './ingest-extras.ts'
import { savePresence } from './report-store.ts'
import { isActivatedEdge } from './store.ts'

/** The part of the cloud link (packages/link, cloud-link.ts) that the intake uses. */
interface IntakeLink {
  onBatch(handler: (edgeId: number, payload: Buffer) => Promise<number>): void
  onExtras(handler: (edgeId: number, payload: Buffer) => Promise<number>): void
  onReport(listener: (edgeId: number, relato: Relato, waitedMs: number) => Promise<void>): void
  onPresence(listener: (edgeId: number, online: boolean) => Promise<void>): void
  publishAnswer(edgeId: number, resposta: RespostaCentral): Promise<void>
}

interface IntakeDeps extends IngestDeps, ReportDeps {
  readonly link: IntakeLink
  readonly bus: Bus
  readonly verification: { wake(): void }
  readonly keyframes: Pick<KeyframeRequests, 'reported'>
  readonly disk: Pick<DiskSpace, 'hasSpace' | 'failed'>
}

/**
 * Connects the link to the use cases. A batch is answered only after its commit. After a failure the handler rejects
 * without an answer, and the edge sends the records again. On a full disk no batch is accepted.
 */
export function connectIntake(deps: IntakeDeps): void {
  const { link, bus, disk, verification, keyframes, log, clock, db } = deps

  /** A lost answer is harmless: the edge repeats its records. */
  const answer = (edgeId: number, resposta: RespostaCentral) =>
    link
      .publishAnswer(edgeId, resposta)
      .catch((err: unknown) => log.warn({ err, edge_id: edgeId, tipo: resposta.tipo }, 'answer not sent'))

  /** Returns the number of records in the batch. */
  async function take(edgeId: number, payload: Buffer): Promise<number> {
    if (!disk.hasSpace()) {
      log.debug({ edge_id: edgeId, bytes: payload.length }, 'batch not accepted: disk full')
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
    if (ingested.gravados > 0) {
      bus.publish({ tipo: 'alertas' })
      verification.wake()
    }
    const { respostas } = ingested
    if (respostas.length === 0) {
      log.warn({ edge_id: edgeId }, 'batch not answered: edge not activated, or records without id')
      return 0
    }
    report(log, edgeId, ingested)
    await answer(edgeId, { tipo: 'registros', v: 2, itens: [...respostas] })
    return respostas.length
  }

  /** Like `take`, for extras. */
  async function takeExtras(edgeId: number, payload: Buffer): Promise<number> {
    if (!disk.hasSpace()) return 0
    const ingested = await ingestExtras(deps, edgeId, payload).catch((error: unknown) => {
      disk.failed(error)
      throw error
    })
    if (!ingested.ok) {
      log.warn({ edge_id: edgeId, bytes: payload.length, motivo: ingested.motivo }, 'unreadable extras dropped')
      return 0
    }
    const { respostas, gravados, esperam } = ingested
    if (respostas.length + esperam.length === 0) return 0
    if (gravados > 0) verification.wake()
    const counts = { gravados, outros: respostas.length - gravados, esperam: esperam.length }
    log.info({ edge_id: edgeId, ...counts }, 'extras stored')
    const espere = esperam.length === 0 ? {} : { espere: { ids: [...esperam], s: SPACE_WAIT_S } }
    await answer(edgeId, { tipo: 'extras', v: 1, itens: [...respostas], ...espere })
    return respostas.length + esperam.length
  }

  link.onExtras(takeExtras)
  link.onBatch(take)

  link.onReport(async (edgeId, relato, waitedMs) => {
    // Time of arrival (RFC 5905 section 8): a wait for the turn is no delay of the line.
    const t2 = clock.now() - Math.round(waitedMs)
    await applyReport(deps, edgeId, relato)
    keyframes.reported(edgeId, relato.cameras)
    if (await isActivatedEdge(db, edgeId))
      await answer(edgeId, { tipo: 'eco', v: 2, t1: relato.enviado_em, t2, t3: clock.now() })
  })

  link.onPresence(async (edgeId, online) => {
    await savePresence(db, edgeId, online, clock.now())
  })
}

/** Logs the result of a batch in lines of bounded number and length. */
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
      'sequence numbers used twice: a copy of the disk of this edge may be in use',
    )
}

/** Maximum records in one log line. */
const SHOWN = 10
