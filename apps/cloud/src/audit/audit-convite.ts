import { unpackAlcance } from '../db/alcance.ts'
import type { ConviteRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes the creation, the acceptance or the revocation of an invitation to the audit log, without its token. */
export const auditConvite = auditOf('convite', ({ id, para, papel, empresa_id, alcance, expira_em }: ConviteRow) => ({
  id,
  nome: para,
  empresaId: empresa_id,
  campos: {
    para,
    papel,
    empresa_id,
    alcance: unpackAlcance(alcance, papel),
    expira_em: new Date(expira_em).toISOString(),
  },
}))
