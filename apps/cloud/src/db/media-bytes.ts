import { listLineageIds } from './lineage.ts'
import type { Database } from './open.ts'

/** Records that a transaction stores: bytes of each in the database. */
export interface StoredRecord {
  readonly empresaId: number
  readonly bytes: number
}

/** A file that a transaction stores. */
export interface StoredMedia {
  readonly path: string
  readonly empresaId: number
  readonly bytes: number
}

/** The files exceed the limit of an Empresa or of an ancestor. The transaction must end without a change. */
export class NoMediaSpace extends Error {
  override readonly name = 'NoMediaSpace'
  /** Empresas whose files have no space. */
  readonly empresaIds: ReadonlySet<number>

  constructor(empresaIds: ReadonlySet<number>) {
    super(`no space for media of ${[...empresaIds].join(', ')}`)
    this.empresaIds = empresaIds
  }
}

/** Rows of one statement: SQLite accepts 32,766 values. */
const AT_ONCE = 1_000

/**
 * Counts files in the transaction that stores the rows that name them. A file that is counted already changes nothing.
 */
export async function countMedia(tx: Database, files: readonly StoredMedia[]): Promise<void> {
  for (let i = 0; i < files.length; i += AT_ONCE) {
    const added = await tx
      .insertInto('midias')
      .values(files.slice(i, i + AT_ONCE).map(({ path, empresaId, bytes }) => rowOf(path, empresaId, bytes)))
      .onConflict((conflict) => conflict.column('caminho').doNothing())
      .returning(['empresa_id', 'bytes'])
      .execute()
    note(tx, added, 1)
  }
}

/** The same within the limits of the Empresas: the transaction ends with NoMediaSpace if the files exceed one. */
export async function countMediaWithinLimits(tx: Database, files: readonly StoredMedia[]): Promise<void> {
  await countMedia(tx, files)
  keepWithinLimits(
    tx,
    files.map(({ empresaId }) => empresaId),
  )
}

/** The transaction ends with NoMediaSpace if what it stores exceeds a limit of these Empresas or of an ancestor. */
export function keepWithinLimits(tx: Database, empresaIds: readonly number[]): void {
  if (empresaIds.length === 0) return
  const { limited } = changesOf(tx)
  for (const id of empresaIds) limited.add(id)
}

/**
 * Bytes that a record takes in the database, by the length of its texts. The columns without text and the entries of
 * the indexes, of the search and of the incidente are a flat amount.
 */
export function recordBytes(row: Readonly<Record<string, unknown>>): number {
  let bytes = RECORD_BYTES
  for (const value of Object.values(row)) if (typeof value === 'string') bytes += Buffer.byteLength(value)
  return bytes
}

/** An event without pictures takes 0.9 KB on SQLite, with all indexes, and has texts of 0.25 KB. */
const RECORD_BYTES = 640

/** Counts records in the transaction that stores them. Each has these bytes in its row (`linha_bytes`). */
export const countRecords = (tx: Database, records: readonly StoredRecord[]): void => note(tx, records.map(rowSum), 1)

/** Counts records no more, in the transaction that deletes them. */
export const uncountRecords = (tx: Database, records: readonly StoredRecord[]): void =>
  note(tx, records.map(rowSum), -1)

const rowSum = ({ empresaId, bytes }: StoredRecord) => ({ empresa_id: empresaId, bytes })

const rowOf = (caminho: string, empresa_id: number, bytes: number) => ({ caminho, empresa_id, bytes })

/** Counts files no more. Called by `listForDeletion`, which every deletion of a stored file passes. */
export async function uncountMedia(tx: Database, paths: readonly string[]): Promise<void> {
  for (let i = 0; i < paths.length; i += AT_ONCE) {
    const gone = await tx
      .deleteFrom('midias')
      .where('caminho', 'in', paths.slice(i, i + AT_ONCE))
      .returning(['empresa_id', 'bytes'])
      .execute()
    note(tx, gone, -1)
  }
}

interface Changes {
  /** Bytes by Empresa, without its ancestors. */
  readonly sums: Map<number, number>
  /** Empresas whose limits count. */
  readonly limited: Set<number>
}

/** Changes of open transactions: the sums are the last rows that a transaction locks (`settleMedia`). */
const pending = new WeakMap<Database, Changes>()

function note(
  tx: Database,
  files: readonly { readonly empresa_id: number; readonly bytes: number }[],
  sign: 1 | -1,
): void {
  if (files.length === 0) return
  const { sums } = changesOf(tx)
  for (const { empresa_id, bytes } of files) sums.set(empresa_id, (sums.get(empresa_id) ?? 0) + sign * Number(bytes))
}

function changesOf(tx: Database): Changes {
  if (!tx.isTransaction) throw new Error('bytes are counted in a transaction only')
  const changes = pending.get(tx) ?? { sums: new Map<number, number>(), limited: new Set<number>() }
  pending.set(tx, changes)
  return changes
}

/**
 * Adds the bytes of a transaction to the sums of the Empresas and their ancestors. `transact` calls it before the
 * commit. All transactions lock the sums last, in the order of their ids.
 * @throws NoMediaSpace
 */
export async function settleMedia(tx: Database): Promise<void> {
  const changes = pending.get(tx)
  if (!changes) return
  pending.delete(tx)
  const chains = new Map<number, readonly number[]>()
  const sums = new Map<number, number>()
  for (const [own, bytes] of changes.sums) {
    const chain = await listLineageIds(tx, own)
    chains.set(own, chain)
    for (const id of chain) sums.set(id, (sums.get(id) ?? 0) + bytes)
  }
  for (const [empresa_id, bytes] of [...sums].sort(([a], [b]) => a - b))
    await tx
      .insertInto('uso_midia')
      .values({ empresa_id, bytes })
      .onConflict((conflict) =>
        conflict
          .column('empresa_id')
          .doUpdateSet((eb) => ({ bytes: eb('uso_midia.bytes', '+', eb.ref('excluded.bytes')) })),
      )
      .execute()
  await refuseExcess(tx, changes.limited, chains)
}

async function refuseExcess(
  tx: Database,
  limited: ReadonlySet<number>,
  chains: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const ids = [...new Set([...limited].flatMap((id) => chains.get(id) ?? []))]
  if (ids.length === 0) return
  const over = await tx
    .selectFrom('empresas')
    .innerJoin('uso_midia', 'uso_midia.empresa_id', 'empresas.id')
    .select('empresas.id')
    .where('empresas.id', 'in', ids)
    .whereRef('uso_midia.bytes', '>', 'empresas.limite_bytes')
    .execute()
  if (over.length === 0) return
  const full = new Set(over.map(({ id }) => id))
  throw new NoMediaSpace(new Set([...limited].filter((own) => chains.get(own)?.some((id) => full.has(id)))))
}

/** Those of these paths that are counted. */
export async function countedAmong(db: Database, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const rows = await db.selectFrom('midias').select('caminho').where('caminho', 'in', paths).execute()
  return new Set(rows.map(({ caminho }) => caminho))
}
