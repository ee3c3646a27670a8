import type { PassagensExportarQuery } from '@vigia/contracts/passagens'
import { auditPlateSearch } from '../../../audit/audit-placa.ts'
import { type Caller, requirePlates } from '../../../http/caller.ts'
import { type CsvCell, csvPages } from '../../../http/csv.ts'
import type { PassagensDeps } from './list-passagens.ts'
import { readFilter } from './read-filter.ts'
import { type ExportedRow, listExported, passagesOf } from './store.ts'

const MOST_ROWS = 50_000

const columns = [
  'id',
  'ocorrido_em',
  'camera',
  'local',
  'placa',
  'situacao',
  'sentido',
  'veiculo',
  'cor',
  'confianca',
  'fim',
  'hora_incerta_de',
  'hora_incerta_ate',
]

/**
 * The newest 50,000 passages that match, as CSV. Every export is in the audit log as a search; one without `placa` as
 * a search for `*`.
 * @returns `total`: how many match, which may be more than the file has
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope), `validacao` (period)
 */
export async function exportPassagens(
  { db, clock }: Pick<PassagensDeps, 'db' | 'clock'>,
  caller: Caller,
  query: PassagensExportarQuery,
): Promise<{ readonly csv: AsyncGenerator<string, void, void>; readonly total: number }> {
  requirePlates(caller)
  const filter = await readFilter(db, caller, query)
  const { placa = '*', empresa_id } = query
  await auditPlateSearch(db, clock.now(), caller, { placa, empresaId: empresa_id ?? caller.empresaId })
  const read = (page: Parameters<typeof listExported>[2]) => listExported(db, filter, page)
  return {
    total: await passagesOf(db, filter).count(),
    csv: csvPages({ columns, most: MOST_ROWS, read, cells: cellsOf }),
  }
}

const cellsOf = (row: ExportedRow): CsvCell[] => [
  row.id,
  instant(row.ocorrido_em),
  row.camera_nome,
  row.local,
  row.placa,
  row.situacao,
  row.sentido,
  row.veiculo,
  row.cor,
  row.confianca,
  maybe(row.fim),
  maybe(row.hora_de),
  maybe(row.hora_ate),
]

const maybe = (epochMs: number | null): string | null => (epochMs === null ? null : instant(epochMs))

const instant = (epochMs: number): string => new Date(epochMs).toISOString()
