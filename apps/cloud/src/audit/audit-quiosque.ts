import { unpackAlcance } from '../db/alcance.ts'
import type { Database } from '../db/open.ts'
import { deleteQuiosquesOf } from '../db/quiosques.ts'
import type { QuiosqueRow } from '../db/rows.ts'
import { type Autor, auditOf } from './audit-change.ts'

/** Writes the creation or the end of a quiosque to the audit log. */
export const auditQuiosque = auditOf(
  'quiosque',
  ({ id, nome, empresa_id, alcance, papel, expira_em }: QuiosqueRow) => ({
    id,
    nome,
    empresaId: empresa_id,
    campos: {
      nome,
      papel,
      empresa_id,
      alcance: unpackAlcance(alcance, papel),
      expira_em: new Date(expira_em).toISOString(),
    },
  }),
)

/**
 * Ends the quiosques of a login that loses the right to them, and writes the records. The caller announces the end of
 * their sessions. @param kept ids of those that go on
 */
export async function endQuiosquesOf(
  tx: Database,
  now: number,
  autor: Autor,
  usuarioId: number,
  kept: readonly number[] = [],
): Promise<void> {
  for (const row of await deleteQuiosquesOf(tx, usuarioId, kept))
    await auditQuiosque(tx, now, autor, { antes: row, depois: null })
}
