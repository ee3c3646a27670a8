import { z } from 'zod'
import { isWebSocket, type Route } from '../../src/http/route.ts'
import { BUSY_CAMERA } from '../telas/sizes.ts'
import { NOT_READS } from './exceptions.ts'

/** A GET route with a path for each set of values that the walk asks for. */
export interface Read {
  readonly route: string
  readonly path: string
}

const DAY_MS = 86_400_000
/** Maximum size of a page. */
const LIMIT = 200

/** Values of a query by the name of the field: the longest periods and the largest pages. */
function valueFor(name: string, now: number, days = 1): string | undefined {
  const iso = (at: number) => new Date(at).toISOString()
  if (name === 'desde' || name === 'inicio') return iso(now - days * DAY_MS)
  if (name === 'ate' || name === 'fim') return iso(now - 60_000)
  const values: Readonly<Record<string, string>> = {
    limit: String(LIMIT),
    limite: String(LIMIT),
    texto: 'pessoa portaria',
    ia: 'invasao',
    precisao: '0.9',
    placa: 'ABC1D23',
    token: 'nenhum',
    tamanho: '640',
    todos: 'true',
    tabela: 'dia',
    camera_id: String(BUSY_CAMERA),
    empresa_id: '2',
    edge_id: '2',
  }
  return values[name]
}

/** A value of an optional field: one that few rows have, the last of an enumeration, or a pattern. */
function filterValue(schema: z.ZodType | undefined, name: string, now: number): string | undefined {
  const { enum: options = [] } = z.toJSONSchema(schema ?? z.never(), { io: 'input', unrepresentable: 'any' })
  const pattern = name === 'placa' ? ['*1Z*'] : []
  const candidates = [...pattern, valueFor(name, now) ?? [], options.at(-1) ?? [], 'true', '1', 'a'].flat()
  return candidates.map(String).find((value) => schema?.safeParse(value).success)
}

/** A route refuses a period that is too long for it. */
const PERIODS_DAYS = [364, 30, 1]

/** The sets are the required fields, the page, and each period with the page. */
function queriesOf(query: z.ZodType | undefined, now: number): string[] {
  const names = query !== undefined && 'shape' in query ? Object.keys(query.shape as object) : []
  const shape = (query as { shape?: Readonly<Record<string, z.ZodType>> } | undefined)?.shape ?? {}
  const needed = names.filter((name) => !shape[name]?.safeParse(undefined).success)
  const period = names.filter((name) => ['desde', 'ate', 'inicio', 'fim'].includes(name))
  const page = names.filter((name) => ['limit', 'limite'].includes(name))
  const deep: Readonly<Record<string, string>> = names.includes('offset') ? { offset: '5000' } : {}
  const text = names.includes('texto') ? ['texto'] : []
  const sets = [needed, [...needed, ...text], [...needed, ...page, ...text]]
  const queries = sets.map((set) => Object.fromEntries(set.map((name) => [name, valueFor(name, now) ?? '1'])))
  const all = [...needed, ...period, ...page, ...text]
  for (const days of PERIODS_DAYS)
    if (period.length > 0) queries.push(Object.fromEntries(all.map((name) => [name, valueFor(name, now, days) ?? '1'])))
  queries.push({ ...queries[2], ...deep })
  for (const name of names.filter((name) => ![...all, 'offset', 'cursor'].includes(name))) {
    const value = filterValue(shape[name], name, now)
    if (value !== undefined) queries.push({ ...queries[2], [name]: value })
  }
  return [...new Set(queries.map((values) => new URLSearchParams(values).toString()))]
}

/** Every GET route that answers once, with the ids of `samples` by the path segment before the parameter. */
export function readsOf(routes: readonly Route[], samples: Readonly<Record<string, number | string>>, now: number) {
  const reads: Read[] = []
  const skipped: string[] = []
  for (const route of routes) {
    if (route.method !== 'get') continue
    const isStream = Object.values(route.respostas).some(
      (answer) => answer !== null && 'midia' in answer && answer.midia === 'text/event-stream',
    )
    if (isWebSocket(route) || isStream || route.acesso === 'edge' || NOT_READS.includes(route.path)) {
      skipped.push(route.path)
      continue
    }
    const path = route.path.replace(
      /([\w-]+)\/\{(\w+)\}/g,
      (_, segment: string, name: string) => `${segment}/${samples[segment] ?? samples[name] ?? 1}`,
    )
    for (const query of queriesOf(route.query, now))
      reads.push({ route: route.path, path: query === '' ? path : `${path}?${query}` })
  }
  return { reads, skipped }
}
