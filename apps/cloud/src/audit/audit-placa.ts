import type { Database } from '../db/open.ts'
import type { PlacaRow } from '../db/rows.ts'
import { type Autor, auditChange, auditOf } from './audit-change.ts'

/** Writes a change of a list of plates to the audit log. */
export const auditPlaca = auditOf('placa', ({ id, placa, empresa_id, lista, nota, dono, validade }: PlacaRow) => ({
  id,
  nome: placa,
  empresaId: empresa_id,
  campos: {
    placa,
    lista,
    nota,
    dono,
    validade: validade === null ? null : new Date(validade).toISOString(),
    empresa_id,
  },
}))

/** Writes a search for passages of a plate to the audit log. @param empresaId null: of all Empresas in scope */
export const auditPlateSearch = (
  db: Database,
  now: number,
  autor: Autor,
  { placa, empresaId }: { readonly placa: string; readonly empresaId: number | null },
): Promise<void> =>
  auditChange(db, now, autor, {
    ...{ acao: 'buscar', objeto: 'passagem', id: null, nome: placa, empresaId },
    ...{ antes: null, depois: null },
  })
