import { setImmediate } from 'node:timers/promises'
import { MAX_PLACAS, type PlacasImportadas, type PlacasImportar } from '@vigia/contracts/placas'
import { auditPlateImport } from '../../../audit/audit-placa.ts'
import { lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import type { PlacaRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireWrite } from '../../../http/caller.ts'
import { full, type PlacasDeps, requireEmpresaId } from './change-placa.ts'
import { type LinhaPlaca, readPlacasCsv } from './read-placas-csv.ts'
import { countPlates, findPlates, savePlates } from './store.ts'

/** SQLite limits the variables of one statement; a plate takes eight. */
const CHUNK_ROWS = 500

/**
 * Puts the plates of a CSV file into the lists of one Empresa: all or none. New plates are added, listed ones take the
 * values of the file, and no plate is removed. Unlike `createPlaca`, it accepts a `validade` in the past, so that an
 * exported file can be imported again. The audit log gets one record without the plates.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope), `validacao` (no Empresa, a wrong line),
 * `conflito` (limit reached)
 */
export async function importPlacas(
  { db, clock }: PlacasDeps,
  caller: Caller,
  { csv, empresa_id }: PlacasImportar,
): Promise<PlacasImportadas> {
  requireWrite(caller)
  const empresaId = requireEmpresaId(caller, empresa_id, 'body')
  const chunks = await chunksOf(readPlacasCsv(csv))
  const now = clock.now()
  return transact(db, async (tx) => {
    // The lock makes the count and the insertion one step.
    if (!(await lockLineage(tx, empresaId))) throw notFound('Empresa não encontrada.')
    const before = await countPlates(tx, empresaId)
    const counts = { criadas: 0, alteradas: 0, iguais: 0 }
    for (const rows of chunks) {
      const saved = await saveChunk(tx, rows, { empresaId, now })
      counts.criadas += saved.criadas
      counts.alteradas += saved.alteradas
      counts.iguais += saved.iguais
      if (before + counts.criadas > MAX_PLACAS) throw full()
      await setImmediate()
    }
    await auditPlateImport(tx, now, caller, empresaId, counts)
    return counts
  })
}

/** Other requests run between two chunks. */
async function chunksOf(rows: Iterable<LinhaPlaca>): Promise<LinhaPlaca[][]> {
  const chunks: LinhaPlaca[][] = []
  for (const row of rows) {
    const last = chunks.at(-1)
    if (last !== undefined && last.length < CHUNK_ROWS) last.push(row)
    else {
      await setImmediate()
      chunks.push([row])
    }
  }
  return chunks
}

async function saveChunk(
  tx: Database,
  rows: readonly LinhaPlaca[],
  { empresaId, now }: { readonly empresaId: number; readonly now: number },
): Promise<PlacasImportadas> {
  const found = await findPlates(
    tx,
    empresaId,
    rows.map(({ placa }) => placa),
  )
  const listed = new Map(found.map((row) => [row.placa, row]))
  const changed = rows.filter((row) => differs(row, listed.get(row.placa)))
  const times = { criada_em: now, atualizada_em: now }
  const values = changed.map((row) => ({ ...merged(row, listed.get(row.placa)), empresa_id: empresaId, ...times }))
  if (values.length > 0) await savePlates(tx, values)
  const criadas = rows.length - listed.size
  return { criadas, alteradas: changed.length - criadas, iguais: rows.length - changed.length }
}

/** The values of a line; those without a column stay as listed. */
const merged = ({ placa, lista, nota, dono, validade }: LinhaPlaca, listed: PlacaRow | undefined) => ({
  placa,
  lista,
  nota: nota === undefined ? (listed?.nota ?? null) : nota,
  dono: dono === undefined ? (listed?.dono ?? null) : dono,
  validade: validade === undefined ? (listed?.validade ?? null) : validade,
})

function differs(row: LinhaPlaca, listed: PlacaRow | undefined): boolean {
  if (listed === undefined) return true
  const { lista, nota, dono, validade } = merged(row, listed)
  return lista !== listed.lista || nota !== listed.nota || dono !== listed.dono || validade !== listed.validade
}
