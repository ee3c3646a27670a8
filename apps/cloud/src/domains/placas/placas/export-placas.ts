import { MAX_PLACAS, type PlacasExportarQuery } from '@vigia/contracts/placas'
import { auditPlateExport } from '../../../audit/audit-placa.ts'
import type { PageRows } from '../../../db/list-page.ts'
import type { PlacaRow } from '../../../db/rows.ts'
import { type Caller, requirePlates, requirePlatesOf } from '../../../http/caller.ts'
import { type CsvCell, csvPages } from '../../../http/csv.ts'

import { requireEmpresa } from '../../../scope/require-empresa.ts'
import { type PlacasDeps, requireEmpresaId } from './change-placa.ts'
import { columnsOfPlacas } from './read-placas-csv.ts'
import { platesOf } from './store.ts'

/**
 * The lists of one Empresa as CSV, newest first, as `importPlacas` reads it. Each export is in the audit log.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope), `validacao` (the operator names no Empresa)
 */
export async function exportPlacas(
  { db, clock }: PlacasDeps,
  caller: Caller,
  { empresa_id, lista }: PlacasExportarQuery,
): Promise<AsyncGenerator<string, void, void>> {
  requirePlates(caller)
  const empresaId = requireEmpresaId(caller, empresa_id, 'query')
  await requireEmpresa(db, caller, empresaId)
  requirePlatesOf(caller, empresaId)
  const filter = { empresas: [empresaId], lista, placa: undefined, busca: undefined }
  const plates = platesOf(db, filter)
  const exportadas = await plates.count()
  await auditPlateExport(db, clock.now(), caller, empresaId, { lista: lista ?? null, exportadas })
  const read = (page: Pick<PageRows, 'before' | 'limit'>) => plates.read({ ...page, offset: 0 })
  return csvPages({ columns: columnsOfPlacas, most: MAX_PLACAS, read, cells: cellsOf })
}

const cellsOf = ({ placa, lista, nota, dono, validade }: PlacaRow): CsvCell[] => [
  placa,
  lista,
  nota,
  dono,
  validade === null ? null : new Date(validade).toISOString(),
]
