import { recordingOf } from '../auditoria/record-change.ts'
import type { ChaveRow } from './store.ts'
import { viewChave } from './view-chave.ts'

/** Writes the creation or the deletion of a key into the audit log. */
export const recordChave = recordingOf('chave', (row: ChaveRow) => {
  const { id, nome, empresa_id, escopo, inicio, validade } = viewChave(row)
  return { id, nome, empresaId: empresa_id, campos: { nome, escopo, inicio, validade, empresa_id } }
})
