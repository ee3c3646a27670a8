import type { ChaveRow } from '../features/chaves/store.ts'
import { viewChave } from '../features/chaves/view-chave.ts'
import { recordingOf } from './audit-change.ts'

/** Writes the creation or the deletion of a key into the audit log. */
export const recordChave = recordingOf('chave', (row: ChaveRow) => {
  const { id, nome, empresa_id, escopo, inicio, validade } = viewChave(row)
  return { id, nome, empresaId: empresa_id, campos: { nome, escopo, inicio, validade, empresa_id } }
})
