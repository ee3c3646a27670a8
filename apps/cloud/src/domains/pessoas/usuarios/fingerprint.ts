import { createHash } from 'node:crypto'
import type { UsuarioRow } from '../../../db/rows.ts'

/**
 * Hash of the values that must not change between two steps of a sign-in. These are password hash, role, Empresa,
 * reach, second factor and active state.
 */
export const fingerprint = (row: UsuarioRow): string =>
  createHash('sha256')
    .update(
      JSON.stringify([row.senha_hash, row.papel, row.empresa_id, row.alcance, row.ativo, row.segundo_fator_ativo]),
    )
    .digest('base64url')
