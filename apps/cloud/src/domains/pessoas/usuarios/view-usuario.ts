import type { Usuario } from '@vigia/contracts/usuarios'
import { EMPTY_LIST, unpackAlcance } from '../../../db/alcance.ts'
import type { UsuarioRow } from '../../../db/rows.ts'

/** Response form without password and hash. */
export const viewUsuario = (row: UsuarioRow): Usuario => ({
  id: row.id,
  username: row.username,
  papel: row.papel,
  empresa_id: row.empresa_id,
  alcance: unpackAlcance(row.alcance, row.papel),
  ativo: row.ativo === 1 && row.alcance !== EMPTY_LIST,
  segundo_fator: row.segundo_fator_ativo === 1,
  criado_em: new Date(row.criado_em).toISOString(),
})
