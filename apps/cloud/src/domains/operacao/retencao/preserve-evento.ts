import { invalid } from '@vigia/contracts/errors'
import type { Preservacao, Preservar } from '@vigia/contracts/retencao'
import type { Clock } from '../../../adapters/clock.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { lockIncidente } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { findPreservacao, viewPreservacao } from '../../../db/preservacoes.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerName, notFound, requireWrite } from '../../../http/caller.ts'
import { requireEffect } from '../../../http/effects.ts'
import { requireEvento } from '../../eventos/public.ts'
import { deletePreservacao, lockEvento, savePreservacao } from './store.ts'

interface PreserveDeps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Keeps an event, its incidente, pictures and clip until a time. Replaces an earlier hold.
 * @throws VigiaError `nao_encontrado`, `proibido`, `validacao` (the end has passed)
 */
export async function preserveEvento(
  { db, clock }: PreserveDeps,
  caller: Caller,
  id: number,
  { motivo, ate }: Preservar,
): Promise<Preservacao> {
  requireWrite(caller)
  const evento = await requireEvento(db, caller, id)
  const now = clock.now()
  const row = { evento_id: id, motivo, ate: Date.parse(ate), por: callerName(caller), desde: now }
  if (row.ate <= now) throw invalid(['body', 'ate'], 'Informe uma data no futuro')
  await transact(db, async (tx) => {
    await lock(tx, evento)
    const antes = await viewHold(tx, id, now)
    if (antes !== null && Date.parse(antes.ate) > row.ate)
      requireEffect(caller, 'destroys', 'Encurtar o tempo em que este evento fica preservado')
    await savePreservacao(tx, row)
    await auditHold(tx, caller, evento, now, antes)
  })
  return viewPreservacao(row)
}

/**
 * Ends the hold of an event; without a hold nothing changes.
 * @throws VigiaError `nao_encontrado`, `proibido`
 */
export async function releaseEvento({ db, clock }: PreserveDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  const evento = await requireEvento(db, caller, id)
  const now = clock.now()
  await transact(db, async (tx) => {
    await lock(tx, evento)
    const antes = await viewHold(tx, id, now)
    if (antes === null) return
    await deletePreservacao(tx, id)
    await auditHold(tx, caller, evento, now, antes)
  })
}

/** The sweep locks in this order, and reads the holds afterwards. */
async function lock(tx: Database, { id, incidente_id }: EventoRow): Promise<void> {
  if (incidente_id !== null) await lockIncidente(tx, incidente_id)
  if (!(await lockEvento(tx, id))) throw notFound('Evento não encontrado.')
}

async function viewHold(tx: Database, id: number, now: number) {
  const row = await findPreservacao(tx, id, now)
  return row ? viewPreservacao(row) : null
}

async function auditHold(tx: Database, caller: Caller, evento: EventoRow, now: number, antes: Preservacao | null) {
  const depois = await viewHold(tx, evento.id, now)
  await auditChange(tx, now, caller, {
    acao: depois ? 'preservar' : 'liberar',
    objeto: 'evento',
    id: evento.id,
    empresaId: evento.empresa_id,
    nome: `${evento.tipo}, ${evento.camera_nome}`,
    antes: antes && { ...antes },
    depois: depois && { ...depois },
  })
}
