import type { Me } from '@vigia/contracts/sessoes'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { isRequired } from './requirement.ts'
import { countRecoveryCodes } from './store.ts'

/** State of a login's second factor, for its owner. */
export const describeFactor = async (
  db: Database,
  { id, empresa_id, segundo_fator_ativo }: Pick<UsuarioRow, 'id' | 'empresa_id' | 'segundo_fator_ativo'>,
): Promise<Me['segundo_fator']> => ({
  ligado: segundo_fator_ativo === 1,
  exigido: await isRequired(db, empresa_id),
  codigos_restantes: await countRecoveryCodes(db, id),
})
