import { setImmediate } from 'node:timers/promises'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { invalid } from '@vigia/contracts/errors'
import { nomesIas } from '@vigia/contracts/ias'
import {
  MAX_DIAS_RELATORIO,
  MAX_LINHAS_RELATORIO,
  type Relatorio,
  type RelatorioQuery,
} from '@vigia/contracts/relatorios'
import type { Clock } from '../../../adapters/clock.ts'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { decisionOf } from '../../../db/verdict-class.ts'
import { zoneOf } from '../../../db/zone-of.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { requireCamera } from '../../locais/public.ts'
import { createAnswerSummary } from './answers.ts'
import { localTime } from './local-time.ts'
import { cameraNames, countQuarters, listAnswered, listQuedasIn, QUARTER_MS, type ReportFilter } from './store.ts'

const DAY_MS = 86_400_000

interface ReportDeps {
  readonly db: Database
  readonly reads: HeavyReads
  readonly clock: Clock
}

type Count = Relatorio['total']

/**
 * Builds the report of a period, in days and hours of the time zone of the Empresa. Reads one day at a time, as a heavy
 * read, so that a long period never blocks other requests for long.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao` for a period that is inverted or too long, and those of
 *   heavy reads
 */
export async function buildReport(
  { db, reads, clock }: ReportDeps,
  caller: Caller,
  query: RelatorioQuery,
  signal: AbortSignal,
): Promise<Relatorio> {
  requireWrite(caller)
  const { desde, ate } = readReportPeriod(query)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  if (query.camera_id !== undefined) await requireCamera(db, caller, query.camera_id)
  const owner = query.empresa_id ?? caller.empresaId
  const fuso = (owner === null ? undefined : await zoneOf(db, owner)) ?? FUSO_PADRAO
  const filter: ReportFilter = { empresas, cameraId: query.camera_id, desde, ate }
  return reads.run(caller, signal, (read) => countRecords(read, filter, fuso, clock.now()))
}

async function countRecords(db: Database, filter: ReportFilter, fuso: string, now: number): Promise<Relatorio> {
  const { empresas, desde, ate } = filter
  const days = new Map<string, Count>(daysBetween(desde, ate, fuso).map((dia) => [dia, nothing()]))
  const hours = Array.from({ length: 24 }, nothing)
  const cameras = new Map<number, Count>()
  const ias = new Map<string, Count>()
  const total = nothing()
  const answers = createAnswerSummary()
  for (let from = desde; from < ate && empresas?.length !== 0; from += DAY_MS, await setImmediate()) {
    const day = { ...filter, desde: from, ate: Math.min(ate, from + DAY_MS) }
    // Grouped, because the local time of an instant costs more than the rest of its counts.
    for (const [quarto, counts] of Map.groupBy(await countQuarters(db, day), (row) => Number(row.quarto))) {
      const { dia, hora } = localTime(quarto * QUARTER_MS, fuso)
      for (const { camera_id, tipo, situacao, n } of counts)
        for (const count of [entry(days, dia), hours[hora], entry(cameras, camera_id), entry(ias, tipo), total])
          if (count) add(count, decisionOf(situacao), Number(n))
    }
    for (const row of await listAnswered(db, day)) answers.add(row)
  }
  const quedas = empresas?.length === 0 ? [] : await listQuedasIn(db, filter)
  const respostas = await answers.result()
  await setImmediate()
  const paradas = summarizeQuedas(quedas, filter, now)
  await setImmediate()
  const names = await cameraNames(db, [...cameras.keys()].slice(0, MAX_LINHAS_RELATORIO * 2))
  return {
    desde: new Date(desde).toISOString(),
    ate: new Date(ate).toISOString(),
    fuso_horario: fuso,
    total,
    por_dia: [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([dia, count]) => ({ dia, ...count })),
    por_hora: hours.map((count, hora) => ({ hora, ...count })),
    por_camera: mostFirst(
      [...cameras].flatMap(([camera_id, count]) => (count.eventos > 0 ? [{ camera_id, ...count }] : [])),
    ).map((row) => ({
      ...row,
      camera_nome: names.get(row.camera_id) ?? `Câmera ${row.camera_id}`,
    })),
    por_ia: mostFirst(
      [...ias].flatMap(([name, count]) => {
        const tipo = nomesIas.find((one) => one === name)
        return tipo && count.eventos > 0 ? [{ tipo, ...count }] : []
      }),
    ),
    respostas,
    quedas: paradas,
  }
}

/** The period of a report. @throws VigiaError `validacao` if it is inverted or too long */
export function readReportPeriod(query: Pick<RelatorioQuery, 'desde' | 'ate'>): { desde: number; ate: number } {
  const { desde = 0, ate = 0 } = readPeriod(query)
  if (ate - desde > MAX_DIAS_RELATORIO * DAY_MS)
    throw invalid(['query', 'ate'], `Peça no máximo ${MAX_DIAS_RELATORIO} dias.`, 'period_too_long')
  return { desde, ate }
}

const nothing = (): Count => ({ eventos: 0, confirmados: 0, refutados: 0, pendentes: 0 })

function entry<K>(counts: Map<K, Count>, key: K): Count {
  const known = counts.get(key) ?? nothing()
  counts.set(key, known)
  return known
}

const columns = { confirmado: 'confirmados', refutado: 'refutados', pendente: 'pendentes' } as const

function add(count: Count, situacao: keyof typeof columns, n: number): void {
  count.eventos += n
  count[columns[situacao]] += n
}

const mostFirst = <T extends Count>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.eventos - a.eventos).slice(0, MAX_LINHAS_RELATORIO)

/** Every local day of the period: a day without events has a row too. A step is shorter than any day. */
function daysBetween(desde: number, ate: number, fuso: string): string[] {
  const days = new Set<string>()
  for (let at = desde; at < ate; at += DAY_MS / 2) days.add(localTime(at, fuso).dia)
  if (ate > desde) days.add(localTime(ate - 1, fuso).dia)
  return [...days]
}

function summarizeQuedas(
  rows: Awaited<ReturnType<typeof listQuedasIn>>,
  { desde, ate }: ReportFilter,
  now: number,
): Relatorio['quedas'] {
  const seconds = ({ inicio, fim }: (typeof rows)[number]) =>
    Math.max(0, Math.round((Math.min(fim ?? now, ate) - Math.max(inicio, desde)) / 1000))
  const groups = Map.groupBy(
    rows,
    ({ edge_id, camera_id }) => `${camera_id ?? ''}|${camera_id === null ? edge_id : ''}`,
  )
  const byName = [...groups.values()].flatMap((own) => {
    const last = own.at(-1)
    if (!last) return []
    const { nome, edge_id, camera_id } = last
    return [{ nome, edge_id, camera_id, total: own.length, segundos: own.reduce((sum, row) => sum + seconds(row), 0) }]
  })
  return {
    total: rows.length,
    segundos: rows.reduce((sum, row) => sum + seconds(row), 0),
    por_nome: byName.toSorted((a, b) => b.segundos - a.segundos).slice(0, MAX_LINHAS_RELATORIO),
  }
}
