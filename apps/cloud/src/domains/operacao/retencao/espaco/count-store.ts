import { sql } from 'kysely'
import { countMedia } from '../../../../db/media-bytes.ts'
import { type NamingTable, namedByRow } from '../../../../db/named-files.ts'
import type { Database } from '../../../../db/open.ts'
import { isPostgres } from '../../../../db/postgres-dialect.ts'
import { transact } from '../../../../db/transaction.ts'

/** A file that a row names. */
export interface Named {
  readonly path: string
  readonly empresaId: number
}

/** The next rows of a table that names files, by id. */
export async function listNamed(
  db: Database,
  table: NamingTable,
  which: { readonly after: number; readonly upTo?: number; readonly limit: number },
): Promise<{ readonly files: readonly Named[]; readonly last: number } | null> {
  const rows = await rowsOf[table](db, which)
  const last = rows.at(-1)
  return last ? { files: rows.flatMap(({ files }) => files), last: last.id } : null
}

interface Range {
  readonly after: number
  readonly upTo?: number
  readonly limit: number
}
type Rows = Promise<{ readonly id: number; readonly files: readonly Named[] }[]>

const named = (empresaId: number, paths: readonly string[]): Named[] => paths.map((path) => ({ path, empresaId }))
const END = Number.MAX_SAFE_INTEGER

const rowsOf: { readonly [T in NamingTable]: (db: Database, range: Range) => Rows } = {
  eventos: async (db, { after, upTo = END, limit }) =>
    (
      await db
        .selectFrom('eventos')
        .select(['id', 'empresa_id', 'crop_path', 'quadro_path'])
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .orderBy('id')
        .limit(limit)
        .execute()
    ).map((row) => ({ id: row.id, files: named(row.empresa_id, namedByRow.eventos(row)) })),
  passagens: async (db, { after, upTo = END, limit }) =>
    (
      await db
        .selectFrom('passagens')
        .select(['id', 'empresa_id', 'foto_path', 'foto_placa_path', 'dataset_path'])
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .orderBy('id')
        .limit(limit)
        .execute()
    ).map((row) => ({ id: row.id, files: named(row.empresa_id, namedByRow.passagens(row)) })),
  clipes: async (db, { after, upTo = END, limit }) =>
    (
      await db
        .selectFrom('clipes')
        .select(['id', 'empresa_id', 'caminho', 'tira', 'estado', 'copia_sha256'])
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .orderBy('id')
        .limit(limit)
        .execute()
    ).map((row) => ({ id: row.id, files: named(row.empresa_id, namedByRow.clipes(row)) })),
  evidencias: async (db, { after, upTo = END, limit }) =>
    (
      await db
        .selectFrom('evidencias')
        .innerJoin('eventos', 'eventos.id', 'evidencias.evento_id')
        .select(['evidencias.id', 'eventos.empresa_id', 'evidencias.caminho'])
        .where('evidencias.id', '>', after)
        .where('evidencias.id', '<=', upTo)
        .orderBy('evidencias.id')
        .limit(limit)
        .execute()
    ).map((row) => ({ id: row.id, files: named(row.empresa_id, namedByRow.evidencias(row)) })),
  descartados: async (db, { after, upTo = END, limit }) =>
    (
      await db
        .selectFrom('descartados')
        .select(['id', 'empresa_id', 'caminho'])
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .orderBy('id')
        .limit(limit)
        .execute()
    ).map((row) => ({ id: row.id, files: named(row.empresa_id, namedByRow.descartados(row)) })),
}

/** Tables whose files are not counted yet, with the id of the last row that is. */
export async function listUncounted(
  db: Database,
): Promise<{ readonly tabela: NamingTable; readonly depois: number }[]> {
  const rows = await db.selectFrom('contagem_midia').select(['tabela', 'depois']).where('feita', '=', 0).execute()
  return rows.map(({ tabela, depois }) => ({ tabela: tabela as NamingTable, depois }))
}

/**
 * Counts the files of some rows. The rows are locked and read again: a file whose row is deleted meanwhile is not
 * counted.
 * @param sizes bytes of each file that exists, read before
 */
export const countRows = (
  db: Database,
  table: NamingTable,
  { after, upTo, limit }: Required<Range>,
  sizes: ReadonlyMap<string, number>,
): Promise<void> =>
  transact(db, async (tx) => {
    await tx
      .updateTable('contagem_midia')
      .set((eb) => ({ depois: eb.fn<number>(isPostgres(tx) ? 'greatest' : 'max', ['depois', eb.val(upTo)]) }))
      .where('tabela', '=', table)
      .execute()
    if (isPostgres(tx))
      await sql`select id from ${sql.table(table)} where id > ${after} and id <= ${upTo} order by id
        for no key update`.execute(tx)
    const found = await rowsOf[table](tx, { after, upTo, limit })
    const files = found.flatMap(({ files }) => files)
    await countMedia(
      tx,
      files.flatMap((file) => {
        const bytes = sizes.get(file.path)
        return bytes === undefined ? [] : { ...file, bytes }
      }),
    )
  })

export const endCount = async (db: Database, table: NamingTable): Promise<void> => {
  await db.updateTable('contagem_midia').set({ feita: 1 }).where('tabela', '=', table).execute()
}

/** Differences between the sums, and what the ledger and the records count; for a check. */
export async function compareSums(
  db: Database,
): Promise<{ readonly empresaId: number; readonly sum: number; readonly counted: number }[]> {
  const empresas = await db.selectFrom('empresas').select(['id', 'empresa_pai_id']).execute()
  const above = new Map(empresas.map(({ id, empresa_pai_id }) => [id, empresa_pai_id]))
  const counted = new Map<number, number>()
  for (const { empresa_id, bytes } of await sumOwn(db))
    for (let id: number | null = empresa_id; id !== null; id = above.get(id) ?? null)
      counted.set(id, (counted.get(id) ?? 0) + Number(bytes))
  const sums = await db.selectFrom('uso_midia').select(['empresa_id', 'bytes']).execute()
  const ids = new Set([...counted.keys(), ...sums.map(({ empresa_id }) => empresa_id)])
  return [...ids].flatMap((empresaId) => {
    const sum = sums.find(({ empresa_id }) => empresa_id === empresaId)?.bytes ?? 0
    const own = counted.get(empresaId) ?? 0
    return Number(sum) === own ? [] : { empresaId, sum: Number(sum), counted: own }
  })
}

/** Bytes of the files, of the events and of the passages of each Empresa, without those below it. */
async function sumOwn(db: Database) {
  const files = db.selectFrom('midias').select(({ fn }) => ['empresa_id', fn.sum<number>('bytes').as('bytes')])
  const events = db.selectFrom('eventos').select(({ fn }) => ['empresa_id', fn.sum<number>('linha_bytes').as('bytes')])
  const passages = db
    .selectFrom('passagens')
    .select(({ fn }) => ['empresa_id', fn.sum<number>('linha_bytes').as('bytes')])
  return [
    ...(await files.groupBy('empresa_id').execute()),
    ...(await events.groupBy('empresa_id').execute()),
    ...(await passages.groupBy('empresa_id').execute()),
  ]
}

/** Counted files of these paths, with their bytes. */
export async function ledgerOf(db: Database, paths: readonly string[]): Promise<Map<string, number>> {
  if (paths.length === 0) return new Map()
  const rows = await db.selectFrom('midias').select(['caminho', 'bytes']).where('caminho', 'in', paths).execute()
  return new Map(rows.map(({ caminho, bytes }) => [caminho, Number(bytes)]))
}

export async function countLedger(db: Database): Promise<number> {
  const { n } = await db
    .selectFrom('midias')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}
