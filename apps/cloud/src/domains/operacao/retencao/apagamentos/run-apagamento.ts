import { setImmediate } from 'node:timers/promises'
import { auditApagamento } from '../../../../audit/audit-apagamento.ts'
import { sistema } from '../../../../audit/audit-change.ts'
import { takeGravacoes } from '../../../../db/clipes.ts'
import { dataRegister, type Reached } from '../../../../db/data-register/data-register.ts'
import { listForDeletion } from '../../../../db/midias-a-apagar.ts'
import type { Database } from '../../../../db/open.ts'
import { takePassages } from '../../../../db/passagens.ts'
import type { ApagamentoRow } from '../../../../db/rows.ts'
import { transact } from '../../../../db/transaction.ts'
import { deleteDescartados, discardFiles } from '../../../eventos/public.ts'
import { takeEventosDue } from '../evento-store.ts'
import { recordRemoved } from '../store.ts'
import type { SweepDeps } from '../sweep-empresa.ts'
import { countLeft, heldLeft } from './left-store.ts'
import {
  type Alvo,
  countHeld,
  countPassagensIn,
  descartadosIn,
  type EventoPosition,
  gravacoesIn,
  listEventosIn,
  passagensIn,
} from './period-store.ts'
import { addProgress, endApagamento } from './store.ts'
import { alvoOf } from './view-apagamento.ts'

/** Records of one transaction. */
const AT_ONCE = 200

interface Run extends SweepDeps {
  readonly id: number
  readonly alvo: Alvo
  readonly signal: AbortSignal
}

/** The step of each table that the deletion by period reaches itself: a table without one does not compile. */
const steps = {
  eventos: deleteEventos,
  passagens: deletePassagens,
  gravacoes: deleteGravacoes,
  descartados: deleteCandidates,
} satisfies Record<Reached<'period', 'own'>, (run: Run) => Promise<void>>

/**
 * Deletes the records of a period, table after table. Each batch is one transaction with its files and its progress,
 * as in the sweep. It may end anywhere, and begins again from the start.
 */
export async function runApagamento(deps: SweepDeps, row: ApagamentoRow, signal: AbortSignal): Promise<void> {
  const run = { ...deps, id: row.id, alvo: alvoOf(row), signal }
  for (const table of Object.keys(steps) as (keyof typeof steps)[])
    if (run.alvo.placa === null || dataRegister[table].plate.by === 'own') await steps[table](run)
}

async function deleteEventos(run: Run): Promise<void> {
  const { db, clock, id, alvo, signal } = run
  // Every incidente is due, whatever its age.
  const always = { empresaId: alvo.empresaId, before: Number.POSITIVE_INFINITY, now: clock.now() }
  const due = { ...always, unansweredBefore: Number.POSITIVE_INFINITY, doubtful: [] }
  for (let after: EventoPosition | null = null; !signal.aborted; ) {
    const rows: Awaited<ReturnType<typeof listEventosIn>> = await listEventosIn(db, alvo, after, AT_ONCE)
    const last = rows.at(-1)
    if (!last) return
    const incidentes = [...new Set(rows.flatMap(({ incidente_id }) => incidente_id ?? []))].sort((a, b) => a - b)
    const soltos = rows.flatMap((evento) => (evento.incidente_id === null ? evento.id : []))
    // The other events of an incidente hold other plates.
    const only = alvo.placa === null ? {} : { only: new Set(rows.map((evento) => evento.id)) }
    const counted = (tx: Database, n: number) => addProgress(tx, id, 'eventos', n)
    await discardFiles(run, await takeEventosDue(db, { ...due, ...only }, { incidentes, soltos }, counted))
    after = last
    await setImmediate()
  }
}

async function deletePassagens(run: Run): Promise<void> {
  const { db, clock, id, alvo, signal } = run
  while (!signal.aborted) {
    const now = clock.now()
    const due = passagensIn(db, alvo, now, { isHeld: false })
    const rows = await due.select('passagens.id').orderBy('passagens.id').limit(AT_ONCE).execute()
    if (rows.length === 0) return
    const files = await transact(db, async (tx) => {
      const taken = await takePassages(
        tx,
        rows.map((row) => row.id),
        now,
      )
      await recordRemoved(tx, { empresaId: alvo.empresaId, tipo: 'passagens', times: taken.times }, now)
      await addProgress(tx, id, 'passagens', taken.times.length)
      return taken.files
    })
    await discardFiles(run, files)
    await setImmediate()
  }
}

async function deleteGravacoes(run: Run): Promise<void> {
  const { db, clock, id, alvo, signal } = run
  while (!signal.aborted) {
    const rows = await gravacoesIn(db, alvo).select('id').orderBy('id').limit(AT_ONCE).execute()
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
  const { db, id, alvo, signal } = run
  while (!signal.aborted) {
    const rows = await descartadosIn(db, alvo).select('id').orderBy('id').limit(AT_ONCE).execute()
    if (rows.length === 0) return
    const counted = (tx: Database, n: number) => addProgress(tx, id, 'descartados', n)
    const ids = rows.map((row) => row.id)
    await deleteDescartados(run, ids, counted)
    await setImmediate()
  }
}

/** Records the end of a deletion with its numbers and with what it left. A plate is forgotten. */
export async function finishApagamento(tx: Database, row: ApagamentoRow, now: number): Promise<void> {
  const alvo = alvoOf(row)
  const { eventos } = await countHeld(tx, alvo, now)
  const passagens = await countPassagensIn(tx, alvo, now, true)
  const ficou = [...heldLeft(eventos, passagens), ...(await countLeft(tx, alvo))]
  const ended = await endApagamento(tx, row.id, {
    preservados: eventos,
    passagens_preservadas: passagens,
    concluido_em: now,
    ficou_json: JSON.stringify(ficou),
    placa: row.placa === null ? null : FORGOTTEN,
  })
  const asked = { ...row, eventos: 0, gravacoes: 0, descartados: 0, passagens: 0 }
  if (ended) await auditApagamento(tx, now, sistema, { antes: asked, depois: ended })
}

/** In place of the plate of an ended deletion. */
const FORGOTTEN = '*'
