import type { Database } from '../db/open.ts'
import type { UsuarioRow } from '../db/rows.ts'
import { type Autor, auditChange } from './audit-change.ts'

/**
 * Writes a change of a login's second factor to the audit log. `criar`: turned on; `remover`: turned off or reset;
 * `trocar_segredo`: new recovery codes.
 */
export const auditSegundoFator = (
  tx: Database,
  now: number,
  autor: Autor,
  acao: 'criar' | 'remover' | 'trocar_segredo',
  { id, username, empresa_id }: Pick<UsuarioRow, 'id' | 'username' | 'empresa_id'>,
): Promise<void> =>
  auditChange(tx, now, autor, {
    acao,
    objeto: 'segundo_fator',
    id,
    nome: username,
    empresaId: empresa_id,
    antes: acao === 'criar' ? null : { username },
    depois: acao === 'remover' ? null : { username },
    segredos: acao === 'trocar_segredo' ? ['codigos_recuperacao'] : [],
  })
