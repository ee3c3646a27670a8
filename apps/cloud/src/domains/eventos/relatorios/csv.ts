import type { Relatorio, TabelaRelatorio } from '@vigia/contracts/relatorios'
import { writeCsv } from '../../../http/csv.ts'

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

/** One table of a report as CSV. */
export function reportCsv(report: Relatorio, tabela: TabelaRelatorio): string {
  const columns = columnsOf[tabela]
  const rows = rowsOf[tabela](report).map((row) => columns.map((column) => row[column] ?? null))
  return writeCsv(columns, rows)
}
