import type { Bus } from '../../../adapters/bus.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, finishWork } from '../../../db/work-queue/queue.ts'
import { createWorker } from '../../../db/work-queue/worker.ts'
import type { Logger } from '../../../http/request-log.ts'
import { noTelemetry, type Telemetry } from '../../../telemetry/telemetry.ts'
import { createEvidenciaVerification } from './evidencia-verification.ts'
import { LONGEST_WAIT_MS } from './retry-policy.ts'
import { findUnverified } from './store.ts'
import { judgeEvent, recordResult, type VerifyDeps } from './verify-evento.ts'

export interface Verification {
  start(): void
  /** Stops the worker and the verifier; interrupted work is repeated after the next start. */
  stop(): Promise<void>
  /** Signals possible new events. */
  wake(): void
}

interface VerificationDeps extends VerifyDeps {
  readonly bus: Bus
  readonly log: Logger
  readonly telemetry?: Telemetry
}

/** Verifies each event, then the later pictures of doubtful events. The verifier sets the concurrency. */
export function createVerification(deps: VerificationDeps): Verification {
  const { db, bus, log, clock, verifier, telemetry = noTelemetry } = deps
  const { metrics, tracing } = telemetry

  async function handle(claim: Claim, signal: AbortSignal): Promise<void> {
    const row = await findUnverified(db, Number(claim.chave))
    if (!row) {
      await transact(db, (tx) => finishWork(tx, claim))
      return
    }
    const resultado = await judgeEvent(deps, row)
    if (signal.aborted && !resultado.ok) return
    if (!(await recordResult(deps, claim, row, resultado))) return
    if (resultado.ok) {
      bus.publish({ tipo: 'alertas' })
      metrics.verdict(resultado.decisao, resultado.certeza, clock.now() - claim.criado_em)
      log.info({ evento_id: row.id, decisao: resultado.decisao, fonte: resultado.fonte }, 'event verified')
    } else {
      metrics.verificationFailed(resultado.falha)
      log.warn({ evento_id: row.id, falha: resultado.falha, detalhe: resultado.detalhe }, 'event not verified yet')
    }
  }

  const { atOnce } = verifier
  // With several slots, one is reserved for other Empresas of the root and one for other roots. So a slow verifier does
  // not delay other Empresas.
  const limits = { atOnce, perRoot: Math.max(1, atOnce - 1), perEmpresa: Math.max(1, atOnce - 2) }
  const worker = createWorker({
    ...deps,
    ...limits,
    tipo: 'verificacao',
    alone: true,
    longestWaitMs: LONGEST_WAIT_MS,
    tracing,
    handle,
  })
  const evidencia = createEvidenciaVerification({ ...deps, tracing })
  return {
    start() {
      worker.start()
      evidencia.start()
    },
    async stop() {
      await Promise.all([worker.stop(), evidencia.stop(), verifier.stop()])
    },
    wake() {
      worker.wake()
      evidencia.wake()
    },
  }
}
