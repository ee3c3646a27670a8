import type { Apagamento, ApagamentoCreate } from '@vigia/contracts/apagamentos'
import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../../adapters/clock.ts'
import { auditApagamento } from '../../../../audit/audit-apagamento.ts'
import { eraseRecordings } from '../../../../db/gravacao-apagada.ts'
import type { HeavyReads } from '../../../../db/heavy-reads/heavy-reads.ts'
import { lockEmpresa } from '../../../../db/locks.ts'
import type { Database } from '../../../../db/open.ts'
import { transact } from '../../../../db/transaction.ts'
import { enqueueWork } from '../../../../db/work-queue/queue.ts'
import { type Caller, callerName, notFound, requireScope, requireWrite } from '../../../../http/caller.ts'
import { readPastPeriod } from '../../../../http/past-period.ts'
import { countPeriod } from './count-period.ts'
import { insertApagamento } from './store.ts'
import { viewApagamento } from './view-apagamento.ts'

export interface ApagamentoDeps {
  readonly db: Database
  readonly reads: HeavyReads
  readonly clock: Clock
  readonly desired: { changed(edgeId: number): void }
}

/**
 * Starts the deletion of a period whose numbers a person has confirmed. A worker deletes, and the edges delete their
 * continuous recordings.
 * @throws VigiaError `nao_encontrado`, `proibido`, `validacao`, `conflito` (other numbers, or a deletion runs)
 */
export async function createApagamento(
  { db, reads, clock, desired }: ApagamentoDeps,
  caller: Caller,
  empresaId: number,
  { motivo, contagem, placa: asked, ...body }: ApagamentoCreate,
  signal: AbortSignal,
): Promise<Apagamento> {
  requireWrite(caller)
  requireScope(caller, empresaId)
  const now = clock.now()
  const placa = asked ?? null
  const { inicio, fim, cameras } = readPastPeriod(empresaId, body, { where: 'body', now })
  // Before the transaction, which would keep everybody from writing meanwhile. The worker deletes what it finds later,
  // so that a count within the transaction would promise no more.
  const alvo = { empresaId, inicio, fim, cameras, placa }
  const counted = await countPeriod({ reads }, caller, alvo, { now, signal })
  const { eventos } = counted
  // Clients of an earlier release do not repeat the passages.
  const seen = ['eventos', 'gravacoes', 'preservados', 'passagens'] as const
  if (seen.some((name) => (contagem[name] ?? counted[name]) !== counted[name]))
    throw conflict('A contagem mudou. Conte de novo e confira os números antes de apagar.')
  const { row, edges } = await transact(db, async (tx) => {
    if (!(await lockEmpresa(tx, empresaId))) throw notFound('Empresa não encontrada.')
    const row = await insertApagamento(tx, {
      empresa_id: empresaId,
      inicio,
      fim,
      motivo,
      cameras_json: cameras && JSON.stringify(cameras),
      pedido_por: callerName(caller),
      pedido_em: now,
      concluido_em: null,
      vaga: empresaId,
      total: eventos,
      eventos: 0,
      gravacoes: 0,
      descartados: 0,
      preservados: 0,
      placa,
    })
    if (!row) throw conflict('Outro apagamento desta Empresa ainda está em curso. Espere ele terminar.')
    await enqueueWork(tx, [{ tipo: 'apagamento', chave: String(row.id), empresaId, prioridade: 0 }], now)
    await auditApagamento(tx, now, caller, { antes: null, depois: row })
    // A recording does not say which plates it shows.
    const edges = placa === null ? await eraseRecordings(tx, { empresaId, cameras, inicio, fim }) : []
    return { row, edges }
  })
  for (const edgeId of edges) desired.changed(edgeId)
  return viewApagamento(row)
}

const conflict = (detalhe: string) => new VigiaError('conflito', { detalhe })
