import type { Database } from '../../db/open.ts'
import { type Autor, recordChange } from '../auditoria/record-change.ts'
import type { UsuarioRow } from '../usuarios/store.ts'

/**
 * Writes into the audit log that the second factor of a login was turned on (`criar`) or off (`remover`: by itself, or by
 * whoever reset it), or got new recovery codes (`trocar_segredo`).
 */
export const recordFactor = (
  tx: Database,
  now: number,
  autor: Autor,
  acao: 'criar' | 'remover' | 'trocar_segredo',
  { id, username, empresa_id }: Pick<UsuarioRow, 'id' | 'username' | 'empresa_id'>,
): Promise<void> =>
  recordChange(tx, now, autor, {
    acao,
    objeto: 'segundo_fator',
    id,
    nome: username,
    empresaId: empresa_id,
    antes: acao === 'criar' ? null : { username },
    depois: acao === 'remover' ? null : { username },
    segredos: acao === 'trocar_segredo' ? ['codigos_recuperacao'] : [],
  })
