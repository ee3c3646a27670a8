import { createHash } from 'node:crypto'
import type { UsuarioRow } from '../../db/rows.ts'

/**
 * A fingerprint of what must not change between two steps of a sign-in: the password (a hash of its salted hash), the role,
 * the Empresa, the second factor, and whether the login is on.
 */
export const fingerprint = (row: UsuarioRow): string =>
  createHash('sha256')
    .update(JSON.stringify([row.senha_hash, row.papel, row.empresa_id, row.ativo, row.segundo_fator_ativo]))
    .digest('base64url')
