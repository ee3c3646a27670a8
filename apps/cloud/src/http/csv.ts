import { setImmediate } from 'node:timers/promises'

/** Value of one cell; null: empty. */
export type CsvCell = string | number | null

type Rows = readonly (readonly CsvCell[])[]

/**
 * A table as CSV (RFC 4180) with semicolons and a byte order mark, as spreadsheets in Portuguese expect. An apostrophe
 * before a leading `=`, `+`, `-`, `@` keeps a spreadsheet from running a name as a formula.
 */
export const writeCsv = (columns: readonly string[], rows: Rows): string => `\uFEFF${csvLines([columns, ...rows])}`

/** More lines of the same table. */
const csvLines = (rows: Rows): string => rows.map((row) => `${row.map(cell).join(';')}\r\n`).join('')

/** Their statement and their lines hold the thread together. */
const CHUNK_ROWS = 250

interface CsvPages<Row> {
  readonly columns: readonly string[]
  /** Lines at most. */
  readonly most: number
  /** Newest first; `before`: only rows with a lower id, null: starts with the newest. */
  read(page: { readonly before: number | null; readonly limit: number }): Promise<readonly Row[]>
  cells(row: Row): CsvCell[]
}

/** A long table, read and written in chunks. Other requests run between two chunks. */
export async function* csvPages<Row extends { readonly id: number }>({
  columns,
  most,
  read,
  cells,
}: CsvPages<Row>): AsyncGenerator<string, void, void> {
  yield writeCsv(columns, [])
  let before: number | null = null
  for (let left = most; left > 0; left -= CHUNK_ROWS) {
    const rows = await read({ before, limit: Math.min(left, CHUNK_ROWS) })
    if (rows.length > 0) yield csvLines(rows.map(cells))
    before = rows.at(-1)?.id ?? null
    if (rows.length < CHUNK_ROWS) break
    await setImmediate()
  }
}

/** The answer that saves `csv` as `filename`. */
export const csvAnswer = (
  filename: string,
  csv: string | ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(csv, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
      ...headers,
    },
  })

/** Removes the apostrophe that `writeCsv` put before a formula. */
export const unguardCell = (text: string): string => text.replace(/^'(?='*[=+\-@\t\r])/, '')

function cell(value: CsvCell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  // Text with own apostrophes gets one more, so that `unguardCell` restores every text.
  const text = /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
