import type { PlaybackTarget, RecorderClock, Span } from '../playback-urls.ts'
import type { DeviceAnswer, DeviceHttp } from './device-http.ts'
import type { ListedFiles, ListFailure } from './listed-files.ts'

/** `channel`: as the recorder counts it in its answer; null: it does not say. */
interface Found {
  readonly files: readonly (Span & { readonly channel: number | null })[]
  readonly isComplete: boolean
}

const CGI = '/cgi-bin/mediaFileFind.cgi'
const PAGE_FILES = 100
const MAX_PAGES = 40
const OK = 200
const NOT_FOUND = [404, 501]

/**
 * Lists the files of a channel by the CGI of Dahua and Intelbras (HTTP API 2.76, 4.10.5). A finder is created, asked
 * page by page, and destroyed. Times are those of the wall clock.
 *
 * The manual counts channels from 1 in the question and from 0 in the answer. Other clients ask from 0. An answer that
 * does not fit the manual is therefore compared with the one to channel 0, which exists in the second counting only.
 */
export async function listDahua(
  http: DeviceHttp,
  { canal, stream }: PlaybackTarget,
  span: Span,
  clock: RecorderClock,
): Promise<ListedFiles | ListFailure> {
  const find = (channel: number) => findFiles(http, { channel, stream }, span, clock)
  const asked = await find(canal)
  if ('failure' in asked || (asked.files.length > 0 && fits(asked, canal - 1))) return asked
  const first = await find(0)
  if ('failure' in first || first.files.length === 0 || !fits(first, 0)) return asked
  const counted = canal === 1 ? first : await find(canal - 1)
  return 'failure' in counted || !fits(counted, canal - 1) ? asked : counted
}

const fits = ({ files }: Found, channel: number): boolean =>
  files.every((file) => file.channel === null || file.channel === channel)

interface Wanted {
  readonly channel: number
  readonly stream: PlaybackTarget['stream']
}

/** Some recorders refuse the condition of the type, and list without it. */
async function findFiles(
  http: DeviceHttp,
  wanted: Wanted,
  span: Span,
  clock: RecorderClock,
): Promise<Found | ListFailure> {
  for (const types of ['&condition.Types[0]=dav', '']) {
    const found = await runFinder(http, wanted, { span, clock, types })
    if ('failure' in found || found.files.length > 0) return found
  }
  return { files: [], isComplete: true }
}

async function runFinder(
  http: DeviceHttp,
  { channel, stream }: Wanted,
  { span, clock, types }: { readonly span: Span; readonly clock: RecorderClock; readonly types: string },
): Promise<Found | ListFailure> {
  const ask = (query: string) => http.send({ method: 'GET', path: `${CGI}?${query}` })
  const created = await ask('action=factory.create')
  if (created.kind !== 'answer' || created.status !== OK) return failureOf(created)
  const object = /^(?:result|object)=(\w{1,32})\s*$/m.exec(created.body)?.[1]
  if (object === undefined) return { failure: 'foreign' }
  try {
    const [from, to] = [span.fromMs, span.toMs].map((ms) => wallText(ms, clock))
    const started = await ask(
      `action=findFile&object=${object}&condition.Channel=${channel}` +
        `&condition.StartTime=${from}&condition.EndTime=${to}${types}`,
    )
    if (started.kind !== 'answer') return { failure: started.kind }
    // Recorders answer an error where they have no file.
    if (started.status !== OK || !/^OK\b/i.test(started.body.trim())) return { files: [], isComplete: true }
    return await readPages(() => ask(`action=findNextFile&object=${object}&count=${PAGE_FILES}`), stream, clock)
  } finally {
    // A recorder has few finders.
    for (const action of ['close', 'destroy']) await ask(`action=${action}&object=${object}`)
  }
}

/** Some recorders fill a page only in part, so that only an empty one is the last. */
async function readPages(
  next: () => Promise<DeviceAnswer>,
  stream: Wanted['stream'],
  clock: RecorderClock,
): Promise<Found | ListFailure> {
  const files: Found['files'][number][] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await next()
    if (answer.kind !== 'answer') return files.length > 0 ? { files, isComplete: false } : { failure: answer.kind }
    const items = answer.status === OK ? readItems(answer.body) : []
    if (items.length === 0) return { files, isComplete: true }
    for (const item of items) {
      const [fromMs, toMs] = [wallTime(item.get('StartTime'), clock), wallTime(item.get('EndTime'), clock)]
      const isPicture = /^jpe?g$/i.test(item.get('Type') ?? '')
      const isOther = stream === 'principal' && /^(extra|sub)/i.test(item.get('VideoStream') ?? '')
      const channel = item.has('Channel') ? Number(item.get('Channel')) : null
      if (toMs > fromMs && !isPicture && !isOther) files.push({ fromMs, toMs, channel })
    }
  }
  return { files, isComplete: false }
}

/** `items[0].StartTime=2026-1-1 12:00:00` lines, grouped by their number. Lists inside an item are ignored. */
function readItems(body: string): ReadonlyMap<string, string>[] {
  const items = new Map<string, Map<string, string>>()
  for (const line of body.split('\n')) {
    const [, index = '', name = '', value = ''] = /^items\[(\d{1,4})\]\.(\w{1,32})=(.{0,512})$/.exec(line.trim()) ?? []
    if (index === '') continue
    const item = items.get(index) ?? new Map<string, string>()
    items.set(index, item.set(name, value))
  }
  return [...items.values()]
}

/** `2026-01-01%2012:00:00`, wall clock of the recorder. */
const wallText = (ms: number, { offsetMs, zoneMin }: RecorderClock): string =>
  new Date(ms + offsetMs + zoneMin * 60_000).toISOString().slice(0, 19).replace('T', '%20')

/** True time, epoch ms; NaN: no time. Recorders write months and hours with one digit or two. */
function wallTime(text = '', { offsetMs, zoneMin }: RecorderClock): number {
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2}) (\d{1,2}):(\d{1,2}):(\d{1,2})$/.exec(text.trim())?.slice(1).map(Number)
  const [year = Number.NaN, month = 1, day, hour, minute, second] = parts ?? []
  return Date.UTC(year, month - 1, day, hour, minute, second) - offsetMs - zoneMin * 60_000
}

const failureOf = (answer: DeviceAnswer): ListFailure => {
  if (answer.kind !== 'answer') return { failure: answer.kind }
  if (answer.status === 403) return { failure: 'forbidden' }
  return { failure: NOT_FOUND.includes(answer.status) ? 'absent' : 'foreign' }
}
