import type { Relatorio, TabelaRelatorio } from '@vigia/contracts/relatorios'

type Row = Readonly<Record<string, string | number | null>>

/** The rows of one table of a report, with flat columns. */
const rowsOf: Readonly<Record<TabelaRelatorio, (report: Relatorio) => readonly Row[]>> = {
  dia: ({ por_dia }) => por_dia,
  hora: ({ por_hora }) => por_hora,
  camera: ({ por_camera }) =>
    por_camera.map(({ camera_id, camera_nome, ...count }) => ({ camera_id, camera_nome, ...count })),
  ia: ({ por_ia }) => por_ia,
  pessoa: ({ respostas }) => respostas.por_pessoa,
  queda: ({ quedas }) => quedas.por_nome,
}

const columnsOf: Readonly<Record<TabelaRelatorio, readonly string[]>> = {
  dia: ['dia', 'eventos', 'confirmados', 'refutados', 'pendentes'],
  hora: ['hora', 'eventos', 'confirmados', 'refutados', 'pendentes'],
  camera: ['camera_id', 'camera_nome', 'eventos', 'confirmados', 'refutados', 'pendentes'],
  ia: ['tipo', 'eventos', 'confirmados', 'refutados', 'pendentes'],
  pessoa: ['revisor', 'respondidos', 'mediana_s', 'p90_s'],
  queda: ['nome', 'edge_id', 'camera_id', 'total', 'segundos'],
}

/**
 * One table as CSV (RFC 4180) with semicolons and a byte order mark, as spreadsheets in Portuguese expect. An
 * apostrophe before a leading `=`, `+`, `-`, `@` keeps a spreadsheet from running a name as a formula.
 */
export function reportCsv(report: Relatorio, tabela: TabelaRelatorio): string {
  const columns = columnsOf[tabela]
  const lines = rowsOf[tabela](report).map((row) => columns.map((column) => cell(row[column] ?? null)))
  return `\uFEFF${[[...columns], ...lines].map((line) => line.join(';')).join('\r\n')}\r\n`
}

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
