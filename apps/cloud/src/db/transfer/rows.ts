import { createHash } from 'node:crypto'
import { DataError } from '../errors.ts'
import type { TableSchema } from './schema.ts'

/** A value as both databases return it. */
type Value = string | number | null

/** Values in the order of `TableSchema.columns`. */
export type Row = readonly Value[]

/** Rows of one page, which is also one transaction of the target. */
export const PAGE_ROWS = 1_000

/** Reads all tables of one state of a database. */
export interface RowSource {
  /** Names of the migrations that ran. */
  migrations(): Promise<string[]>
  count(table: TableSchema): Promise<number>
  /** Rows in the order of the primary key, without the first `skip` ones. */
  pages(table: TableSchema, skip: number): AsyncIterable<Row[]>
  /** Highest number that the database gave to a row of the table, also to a deleted one; 0: none. */
  counter(table: TableSchema): Promise<number>
  close(): Promise<void>
}

/** A database that a move or a restore fills. */
export interface RowTarget {
  /** Whether it continues an earlier run. */
  readonly resumed: boolean
  /** Rows of the table that are already stored. */
  stored(table: TableSchema): Promise<number>
  /** Stores rows and their number in one transaction. `stored`: the number before. */
  insert(table: TableSchema, rows: readonly Row[], stored: number): Promise<void>
  setCounter(table: TableSchema, last: number): Promise<void>
  /** Reads what is stored. */
  read(): Promise<RowSource>
  /** Makes the database usable for the service. */
  finish(): Promise<void>
  close(): Promise<void>
}

export interface TargetOptions {
  /** URL, or path of a SQLite file. */
  readonly place: string
  readonly tables: readonly TableSchema[]
  /** Last migration of the rows to come. */
  readonly last: string
  /** Identifies the source, so that a second run continues a move and no other one does. */
  readonly origin: string
  /** Portuguese name of the command, for the refusal. */
  readonly action: string
}

/** Count and checksum of the rows of a table, in any order. */
export interface TableSum {
  readonly rows: number
  /** Hex. */
  readonly sum: string
}

/** Sums the hashes of rows, so that the order of the rows does not count. */
export function createSum() {
  let rows = 0
  let high = 0n
  let low = 0n
  return {
    add(row: unknown): void {
      const hash = createHash('sha256').update(JSON.stringify(row)).digest()
      high = BigInt.asUintN(64, high + hash.readBigUInt64BE(0))
      low = BigInt.asUintN(64, low + hash.readBigUInt64BE(8))
      rows += 1
    },
    result: (): TableSum => ({ rows, sum: hex(high) + hex(low) }),
  }
}

const hex = (half: bigint): string => half.toString(16).padStart(16, '0')

/** Reads a whole table. */
export async function sumOf(
  source: RowSource,
  table: TableSchema,
  onRows: (count: number) => void = () => {},
): Promise<TableSum> {
  const sum = createSum()
  for await (const page of source.pages(table, 0)) {
    for (const row of page) sum.add(row)
    onRows(page.length)
  }
  return sum.result()
}

/** @throws DataError for a value that the other database cannot hold */
export function requirePortable(table: TableSchema, row: readonly unknown[]): Row {
  const at = row.findIndex((value) => !isValue(value))
  if (at >= 0)
    throw new DataError(`A tabela ${table.name} tem um valor que não se copia na coluna ${table.columns[at]}.`)
  return row as Row
}

const isValue = (value: unknown): value is Value =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
