export interface Table {
  readonly titulo: string
  /** Text below the title: the data behind the table. */
  readonly nota?: string
  readonly colunas: readonly string[]
  readonly linhas: readonly (readonly string[])[]
}

/** For a terminal. */
export function toText({ titulo, nota, colunas, linhas }: Table): string {
  const widths = colunas.map((name, column) => Math.max(name.length, ...linhas.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [titulo.toUpperCase(), ...(nota ? [nota] : []), line(colunas), rule, ...linhas.map(line)].join('\n')
}

/** For a page (GitHub's Markdown). @param mark line above the table */
export function toMarkdown({ titulo, nota, colunas, linhas }: Table, mark: string | null = null): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const rows = [line(colunas), line(colunas.map(() => '---')), ...linhas.map(line)]
  const above = nota ? [wrapped(nota), ''] : []
  return [`### ${titulo}`, '', ...above, ...(mark === null ? [] : [mark]), ...rows].join('\n')
}

/** Records with the same keys, which become the columns. */
export function rowsToMarkdown(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const isNumber = names.map((name) => rows.every((row) => typeof row[name] === 'number'))
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const marks = isNumber.map((right) => (right ? '---:' : '---'))
  const lines = rows.map((row) => line(names.map((name) => String(row[name] ?? '–'))))
  return [line(names), line(marks), ...lines].join('\n')
}

/** Width of the pages in docs/. */
const COLUMNS = 120

/** Breaks the text between words. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && longer.length <= COLUMNS) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join('\n')
}
