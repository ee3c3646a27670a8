import { setImmediate } from 'node:timers/promises'
import { auditApagamento } from '../../../audit/audit-apagamento.ts'
import { sistema } from '../../../audit/audit-change.ts'
import { takeGravacoes } from '../../../db/clipes.ts'
import { listForDeletion } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import type { ApagamentoRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import type { Periodo } from '../../../http/past-period.ts'
import { deleteDescartados } from '../../eventos/delete-descartados.ts'
import { discardFiles } from '../../eventos/discard-files.ts'
import { takeEventosDue } from '../evento-store.ts'
import type { SweepDeps } from '../sweep-empresa.ts'
import { countHeld, descartadosIn, type EventoPosition, gravacoesIn, listEventosIn } from './period-store.ts'
import { addProgress, endApagamento } from './store.ts'
import { camerasOf } from './view-apagamento.ts'

/** Records of one transaction. */
const AT_ONCE = 200

interface Run extends SweepDeps {
  readonly id: number
  readonly periodo: Periodo
  readonly signal: AbortSignal
}

/**
 * Deletes the events of a period with their incidentes, then recordings and discarded candidates. Each batch is one
 * transaction with its files and its progress, as in the sweep. It may end anywhere, and begins again from the start.
 */
export async function runApagamento(deps: SweepDeps, row: ApagamentoRow, signal: AbortSignal): Promise<void> {
  const { id, empresa_id: empresaId, inicio, fim } = row
  const run = { ...deps, id, periodo: { empresaId, inicio, fim, cameras: camerasOf(row) }, signal }
  await deleteEventos(run)
  await deleteGravacoes(run)
  await deleteCandidates(run)
}

async function deleteEventos(run: Run): Promise<void> {
  const { db, clock, id, periodo, signal } = run
  // Every incidente is due, whatever its age.
  const always = { empresaId: periodo.empresaId, before: Number.POSITIVE_INFINITY, now: clock.now() }
  const due = { ...always, unansweredBefore: Number.POSITIVE_INFINITY }
  for (let after: EventoPosition | null = null; !signal.aborted; ) {
    const rows: Awaited<ReturnType<typeof listEventosIn>> = await listEventosIn(db, periodo, after, AT_ONCE)
    const last = rows.at(-1)
    if (!last) return
    const incidentes = [...new Set(rows.flatMap(({ incidente_id }) => incidente_id ?? []))].sort((a, b) => a - b)
    const soltos = rows.flatMap((evento) => (evento.incidente_id === null ? evento.id : []))
    const counted = (tx: Database, n: number) => addProgress(tx, id, 'eventos', n)
    await discardFiles(run, await takeEventosDue(db, due, { incidentes, soltos }, counted))
    after = last
    await setImmediate()
  }
}

async function deleteGravacoes(run: Run): Promise<void> {
  const { db, clock, id, periodo, signal } = run
  while (!signal.aborted) {
    const rows = await gravacoesIn(db, periodo).select('id').orderBy('id').limit(AT_ONCE).execute()
    if (rows.length === 0) return
    const files = await transact(db, async (tx) => {
      const ids = rows.map((row) => row.id)
      const files = await takeGravacoes(tx, { ids }, clock.now())
      await listForDeletion(tx, files)
      await addProgress(tx, id, 'gravacoes', ids.length)
      return files
    })
    await discardFiles(run, files)
    await setImmediate()
  }
}

async function deleteCandidates(run: Run): Promise<void> {
  const { db, id, periodo, signal } = run
  while (!signal.aborted) {
    const rows = await descartadosIn(db, periodo).select('id').orderBy('id').limit(AT_ONCE).execute()
    if (rows.length === 0) return
    const counted = (tx: Database, n: number) => addProgress(tx, id, 'descartados', n)
    const ids = rows.map((row) => row.id)
    await deleteDescartados(run, ids, counted)
    await setImmediate()
  }
}

/** Records the end of a deletion with its numbers. */
export async function finishApagamento(tx: Database, row: ApagamentoRow, now: number): Promise<void> {
  const { id, empresa_id: empresaId, inicio, fim } = row
  const { eventos } = await countHeld(tx, { empresaId, inicio, fim, cameras: camerasOf(row) }, now)
  const ended = await endApagamento(tx, id, { preservados: eventos, concluido_em: now })
  const asked = { ...row, eventos: 0, gravacoes: 0, descartados: 0 }
  if (ended) await auditApagamento(tx, now, sistema, { antes: asked, depois: ended })
}
