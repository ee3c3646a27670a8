import { VigiaError } from '@vigia/contracts/errors'
import { type ListaPlaca, MAX_PLACAS, placaCreateSchema } from '@vigia/contracts/placas'
import type { z } from 'zod'
import { unguardCell } from '../../../http/csv.ts'
import { parseInput } from '../../../http/validation-items.ts'
import { type CsvRecord, csvRecords, wrongLine } from './csv-records.ts'

/** Columns of a file of plates, in the order of an export. */
export const columnsOfPlacas = ['placa', 'lista', 'nota', 'dono', 'validade'] as const
type Column = (typeof columnsOfPlacas)[number]

/** One plate of a file. An absent field has no column in the file. */
export interface LinhaPlaca {
  readonly placa: string
  readonly lista: ListaPlaca
  readonly nota?: string | null | undefined
  readonly dono?: string | null | undefined
  /** Epoch ms; may be in the past. */
  readonly validade?: number | null | undefined
}

const rowSchema = placaCreateSchema.omit({ empresa_id: true })

/**
 * The plates of a CSV file, one by one. The header names the columns, in any order; `;` or `,` separates them. An empty
 * cell is null, and a line without text is skipped. A `validade` in the past is accepted, so that an exported file can
 * be imported again.
 * @throws VigiaError `validacao` with the number of the first wrong line
 */
export function* readPlacasCsv(csv: string): Generator<LinhaPlaca, void, void> {
  const text = csv.replace(/^\uFEFF/, '')
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  const records = csvRecords(text, header.includes(';') ? ';' : ',')
  const columns = readHeader(records.next().value?.cells ?? [])
  const lines = new Map<string, number>()
  for (const record of records) {
    if (record.cells.every((cell) => cell.trim() === '')) continue
    const row = readRow(record, columns)
    const former = lines.get(row.placa)
    if (former !== undefined) throw wrongLine(record.line, `a placa já está na linha ${former}`)
    lines.set(row.placa, record.line)
    if (lines.size > MAX_PLACAS) throw wrongLine(record.line, `o arquivo tem mais de ${MAX_PLACAS} placas`)
    yield row
  }
}

function readHeader(cells: readonly string[]): Column[] {
  const columns = cells.map((cell, index) => {
    const column = columnsOfPlacas.find((name) => name === cell.trim().toLowerCase())
    if (column !== undefined) return column
    throw wrongLine(1, `o nome da coluna ${index + 1} é desconhecido. Use ${columnsOfPlacas.join(', ')}`)
  })
  for (const name of columnsOfPlacas)
    if (columns.filter((column) => column === name).length > 1)
      throw wrongLine(1, `a coluna ${name} aparece duas vezes`)
  for (const name of ['placa', 'lista'] as const)
    if (!columns.includes(name)) throw wrongLine(1, `falta a coluna ${name}`)
  return columns
}

function readRow({ line, cells }: CsvRecord, columns: readonly Column[]): LinhaPlaca {
  if (cells.length !== columns.length)
    throw wrongLine(line, `o número de colunas é ${cells.length}, e no cabeçalho é ${columns.length}`)
  const fields = Object.fromEntries(columns.map((column, index) => [column, valueIn(column, cells[index] ?? '')]))
  const { validade, ...row } = parseRow(fields, line)
  return { ...row, validade: typeof validade === 'string' ? Date.parse(validade) : validade }
}

/** @throws VigiaError `validacao` with the number of the line and the name of the column */
function parseRow(fields: object, line: number): z.infer<typeof rowSchema> {
  try {
    return parseInput(rowSchema, fields, 'body') as z.infer<typeof rowSchema>
  } catch (error) {
    const [item] = error instanceof VigiaError ? error.itens : []
    if (!item) throw error
    throw wrongLine(line, `${item.loc.at(-1)}: ${item.msg}`)
  }
}

function valueIn(column: Column, cell: string): string | null {
  const text = unguardCell(cell).trim()
  if (column === 'lista') return text.toLowerCase()
  return text === '' && column !== 'placa' ? null : text
}
