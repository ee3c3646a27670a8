import { createHash } from 'node:crypto'
import type { Route } from '../../http/route.ts'

/** One answer to a GET. `body`: JSON or text as sent; the hash of any other body. */
interface CrawledAnswer {
  readonly status: number
  readonly type: string | null
  readonly total: string | null
  readonly body: string
}

/** Answers by caller and path. */
export type Crawl = ReadonlyMap<string, CrawledAnswer>

interface Crawled {
  readonly url: string
  readonly routes: readonly Route[]
}

/** Streams never end; the others ask an edge, and none runs. */
const SKIPPED =
  /\/(sse|ws|docs|auth|replicas|envios|hls|imagens)\/|aovivo|miniaturas|diagnostico|varredura|openapi|snapshot|transmiss/
/** Where the ids of a segment come from, if its own list does not have them. */
const lists: Readonly<Record<string, string>> = { crops: 'events' }

interface CrawlOptions {
  /** Session token by caller. */
  readonly tokens: Readonly<Record<string, string>>
  /** Time of the cloud, epoch ms. */
  readonly now: number
  readonly idsAtMost: number
}

/** Each call writes an audit record, so that these come last. */
const RECORDED = /\/(exportar|exportacao|clip)$/
/** Parts that differ although the data are equal: the random part of a sealed text, and the free space of the disk. */
const INCIDENTAL = /(?<=v1\.[0-9a-f]{8}\.)[\w-]+|(?<="dias_ate_disco_cheio":)(?:\d+|null)/g
const DAY_MS = 86_400_000
/** Routes that take a period. */
const PERIODS = /\/(relatorios|csv|linha-do-tempo|concordancia|events|passagens)$/
const AT_ONCE = 8

/**
 * Reads every route of the API, with each id that its lists show, at most `idsAtMost` of one list.
 */
export async function crawlApi(app: Crawled, { tokens, now, idsAtMost }: CrawlOptions): Promise<Crawl> {
  // Reports need a period; other routes ignore it or list the same day.
  const period = `?desde=${new Date(now - DAY_MS / 2).toISOString()}&ate=${new Date(now + DAY_MS / 4).toISOString()}`
  const answers = new Map<string, CrawledAnswer>()
  const routes = app.routes.filter(
    ({ method, path, acesso }) =>
      method === 'get' &&
      path.startsWith('/api/v1/') &&
      acesso !== 'publico' &&
      acesso !== 'edge' &&
      !SKIPPED.test(path),
  )
  const recorded: { readonly name: string; readonly path: string; readonly get: Get }[] = []
  for (const [caller, token] of Object.entries(tokens)) {
    const get = createGet(app.url, token)
    const found = await Promise.all(routes.map(({ path }) => pathsOf(path, get, idsAtMost)))
    const periods = found.flat().flatMap((path) => (PERIODS.test(path) ? [`${path}${period}`] : []))
    const all = [...found.flat(), ...periods].map((path) => ({ name: `${caller} ${path}`, path, get }))
    recorded.push(...all.filter(({ path }) => RECORDED.test(path)))
    const left = all.filter(({ path }) => !RECORDED.test(path))
    const reader = async () => {
      for (let next = left.pop(); next; next = left.pop()) answers.set(next.name, await get(next.path))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, reader))
  }
  for (const { name, path, get } of recorded) answers.set(name, await get(path))
  return answers
}

type Get = (path: string) => Promise<CrawledAnswer>

/** Asks each path once. */
function createGet(url: string, token: string): Get {
  const asked = new Map<string, Promise<CrawledAnswer>>()
  return (path) => {
    const known = asked.get(path)
    if (known !== undefined) return known
    const answer = ask(`${url}${path}`, token)
    asked.set(path, answer)
    return answer
  }
}

async function ask(url: string, token: string): Promise<CrawledAnswer> {
  const response = await fetch(url, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  const isText = /json|text|csv/.test(type ?? '')
  const text = type?.startsWith('application/json') ? sortKeys(bytes.toString()) : bytes.toString()
  const body = isText ? text.replaceAll(INCIDENTAL, '…') : `sha256 ${createHash('sha256').update(bytes).digest('hex')}`
  return { status: response.status, type, total: response.headers.get('x-total-count'), body }
}

/** Counts by name have no order. */
const sortKeys = (json: string): string =>
  JSON.stringify(JSON.parse(json), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

/** The path of a route with each known id. A parameter takes the ids of the list before it. */
async function pathsOf(template: string, get: Get, idsAtMost: number): Promise<string[]> {
  let paths = ['']
  for (const segment of template.split('/').slice(1)) {
    if (!segment.startsWith('{')) {
      paths = paths.map((path) => `${path}/${segment}`)
      continue
    }
    const longer: string[] = []
    for (const path of paths)
      for (const id of (await idsOf(path, get)).slice(0, idsAtMost)) longer.push(`${path}/${id}`)
    paths = longer
  }
  return paths
}

async function idsOf(path: string, get: Get): Promise<(number | string)[]> {
  const segment = path.split('/').at(-1) ?? ''
  const list = lists[segment]
  const { status, body } = await get(list === undefined ? path : path.replace(segment, list))
  if (status !== 200) return []
  const found: unknown = JSON.parse(body)
  const items = Array.isArray(found) ? found : Object.values(found as object).find(Array.isArray)
  return (items ?? []).flatMap((item: { id?: number | string }) => item.id ?? [])
}

/** Names of the answers that differ, with the text around the first difference. */
export function differencesOf(was: Crawl, is: Crawl): string[] {
  const names = new Set([...was.keys(), ...is.keys()])
  return [...names].flatMap((name) => {
    const [one = '', other = ''] = [JSON.stringify(was.get(name)), JSON.stringify(is.get(name))]
    if (one === other) return []
    let at = 0
    while (one[at] === other[at]) at += 1
    return [`${name}: ${one.slice(Math.max(0, at - 60), at + 60)} ≠ ${other.slice(Math.max(0, at - 60), at + 60)}`]
  })
}
