import { auditRevogacao, type Motivo } from '../../audit/audit-autorizacao.ts'
import type { Autor } from '../../audit/audit-change.ts'
import type { Database } from '../../db/open.ts'
import { type Allowed, revokeAllOf } from './store.ts'

/** Takes back all that agents were allowed by a login or on some hosts, in the transaction that is the reason for it. */
export async function revokeAuthorizations(
  tx: Database,
  now: number,
  autor: Autor,
  which: Allowed,
  motivo: Motivo,
): Promise<void> {
  for (const row of await revokeAllOf(tx, which, now)) await auditRevogacao(tx, now, autor, row, motivo)
}
