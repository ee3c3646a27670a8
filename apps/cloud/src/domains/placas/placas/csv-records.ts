import { invalid, type VigiaError } from '@vigia/contracts/errors'

/** One record of a CSV file. */
export interface CsvRecord {
  /** Line of the file on which the record begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** A 422 about one line of the file. The sentence contains no text of the file, which may be a plate. */
export const wrongLine = (line: number, sentence: string): VigiaError =>
  invalid(['body', 'csv'], `Linha ${line}: ${sentence}`, 'csv_invalid')

/**
 * The records of a CSV text (RFC 4180), one by one. Lines may end with CR, LF or both.
 * @throws VigiaError `validacao` for quotes that do not enclose a whole cell
 */
export function* csvRecords(text: string, separator: ';' | ','): Generator<CsvRecord, void, void> {
  let at = 0
  let line = 1
  while (at < text.length) {
    const start = line
    const cells: string[] = []
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, separator, line)
      cells.push(cell.value)
      line += lineEnds(cell.value)
      at = cell.end
      if (text[at] !== separator) break
      at += 1
    }
    if (at < text.length && !isLineEnd(text[at])) throw wrongLine(line, MISPLACED)
    at += text.startsWith('\r\n', at) ? 2 : 1
    line += 1
    yield { line: start, cells }
  }
}

const MISPLACED = 'há aspas fora do lugar. Ponha a célula inteira entre aspas, e cada aspa de dentro duas vezes'

interface Cell {
  readonly value: string
  /** Position after the cell. */
  readonly end: number
}

function plainCell(text: string, at: number, separator: string, line: number): Cell {
  let end = at
  while (end < text.length && text[end] !== separator && !isLineEnd(text[end])) {
    if (text[end] === '"') throw wrongLine(line, MISPLACED)
    end += 1
  }
  return { value: text.slice(at, end), end }
}

function quotedCell(text: string, at: number, line: number): Cell {
  let close = text.indexOf('"', at + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close < 0) throw wrongLine(line, 'as aspas abertas aqui não fecham')
  return { value: text.slice(at + 1, close).replaceAll('""', '"'), end: close + 1 }
}

const isLineEnd = (char: string | undefined): boolean => char === '\n' || char === '\r'

const lineEnds = (value: string): number => value.match(/\r\n|\r|\n/g)?.length ?? 0
