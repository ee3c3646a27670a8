import { auditRevogacao, type Motivo } from '../../../audit/audit-autorizacao.ts'
import type { Autor } from '../../../audit/audit-change.ts'
import type { Database } from '../../../db/open.ts'
import { type Allowed, revokeAllOf } from './store.ts'

/** Revokes all authorizations of a login or of some hosts, in the transaction of the causing change. */
export async function revokeAuthorizations(
  tx: Database,
  now: number,
  autor: Autor,
  which: Allowed,
  motivo: Motivo,
): Promise<void> {
  for (const row of await revokeAllOf(tx, which, now)) await auditRevogacao(tx, now, autor, row, motivo)
}
