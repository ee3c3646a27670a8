import type { AcaoAuditoria, ObjetoAuditoria } from '@vigia/contracts/auditoria'
import type { Clock } from '../adapters/clock.ts'
import type { Database } from '../db/open.ts'
import { transact } from '../db/transaction.ts'
import { type Autor, auditChange } from './audit-change.ts'
import { uncounted } from './record-rate.ts'

/** An action that shows a record and changes nothing. */
interface Viewing {
  readonly acao: AcaoAuditoria
  readonly objeto: ObjetoAuditoria
  readonly id: number
  readonly nome: string | null
  readonly empresaId: number
  /** Locks the record, so that two requests leave one record. First statement of the transaction. */
  readonly lock: (tx: Database) => Promise<unknown>
}

/** A viewing that begins this long after the last recorded one gets a record of its own. */
const ONCE_MS = 10 * 60_000

/** Records a viewing of this author. The further requests of a page or a player leave no second record. */
export async function auditOnce(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  autor: Autor,
  { acao, objeto, id, nome, empresaId, lock }: Viewing,
): Promise<void> {
  const now = clock.now()
  const { usuarioId, username, origem } = autor
  const known = (of: Database) =>
    of
      .selectFrom('auditoria')
      .select('id')
      .where('objeto', '=', objeto)
      .where('objeto_id', '=', id)
      .where('acao', '=', acao)
      .where('usuario_id', 'is not distinct from', usuarioId)
      .where('username', 'is not distinct from', username)
      .where('cliente', 'is not distinct from', origem.cliente)
      .where('em', '>', now - ONCE_MS)
      .limit(1)
      .executeTakeFirst()
  // Most requests continue a recorded viewing, and need no lock.
  if (await known(db)) return
  await transact(db, async (tx) => {
    await lock(tx)
    if (await known(tx)) return
    const viewing = { acao, objeto, id, nome, empresaId, antes: null, depois: null }
    await uncounted(() => auditChange(tx, now, autor, viewing))
  })
}
