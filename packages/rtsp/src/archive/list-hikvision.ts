import { randomUUID } from 'node:crypto'
import type { PlaybackTarget, RecorderClock, Span } from '../playback-urls.ts'
import { childAt, parseXml, type XmlElement } from '../xml.ts'
import type { DeviceHttp } from './device-http.ts'
import type { ListedFiles, ListFailure } from './listed-files.ts'

const SEARCH = '/ISAPI/ContentMgmt/search'
/** Largest page that all known firmwares accept. */
const PAGE_FILES = 40
const MAX_PAGES = 60
const OK = 200
const NOT_FOUND = [404, 405, 501]

/**
 * Forms of the search. Notes on a DS-7616NXI (V4.84) say that it refuses the declaration, the name space and the list
 * of metadata; cfryanr/hikvision-download-assistant sends all three. `searchResultPostion` is the maker's spelling.
 */
const forms = {
  short: (search: string) => `<CMSearchDescription version="1.0">${search}</CMSearchDescription>`,
  full: (search: string) =>
    '<?xml version="1.0" encoding="utf-8"?>' +
    `<CMSearchDescription version="1.0" xmlns="http://www.hikvision.com/ver20/XMLSchema">${search}` +
    '<metadataList><metadataDescriptor>//recordType.meta.std-cgi.com</metadataDescriptor></metadataList>' +
    '</CMSearchDescription>',
}
type Form = keyof typeof forms

interface Page {
  readonly files: readonly Span[]
  readonly hasMore: boolean
}

/**
 * Lists the files of a track by ISAPI's content search, which some recorders answer to POST only. Older ones (ISAPI
 * 1.0, cfryanr/hikvision-download-assistant #1) ignore the position. After a page that repeats, the search begins at
 * the end of its last file.
 */
export async function listHikvision(
  http: DeviceHttp,
  { canal, stream }: PlaybackTarget,
  span: Span,
  clock: RecorderClock,
): Promise<ListedFiles | ListFailure> {
  const track = canal * 100 + (stream === 'sub' ? 2 : 1)
  const files = new Map<string, Span>()
  let form: Form = 'short'
  let [fromMs, position] = [span.fromMs, 0]
  for (let page = 0; page < MAX_PAGES; page++) {
    const ask = () => askPage(http, { track, form, position, span: { ...span, fromMs } }, clock)
    let answer = await ask()
    if ('failure' in answer && answer.failure === 'foreign' && page === 0) {
      form = 'full'
      answer = await ask()
    }
    if ('failure' in answer) return files.size > 0 ? { files: [...files.values()], isComplete: false } : answer
    const before = files.size
    for (const file of answer.files) files.set(`${file.fromMs}-${file.toMs}`, file)
    if (!answer.hasMore || answer.files.length === 0) return { files: [...files.values()], isComplete: true }
    position += answer.files.length
    if (files.size > before) continue
    const endMs = Math.max(...answer.files.map(({ toMs }) => toMs))
    if (endMs <= fromMs) break
    fromMs = endMs
    position = 0
  }
  return { files: [...files.values()], isComplete: false }
}

interface Search {
  readonly track: number
  readonly form: Form
  readonly position: number
  readonly span: Span
}

async function askPage(
  http: DeviceHttp,
  { track, form, position, span }: Search,
  clock: RecorderClock,
): Promise<Page | ListFailure> {
  const search =
    `<searchID>{${randomUUID().toUpperCase()}}</searchID><trackList><trackID>${track}</trackID></trackList>` +
    `<timeSpanList><timeSpan><startTime>${zText(span.fromMs, clock)}</startTime>` +
    `<endTime>${zText(span.toMs, clock)}</endTime></timeSpan></timeSpanList>` +
    `<maxResults>${PAGE_FILES}</maxResults><searchResultPostion>${position}</searchResultPostion>`
  const answer = await http.send({ method: 'POST', path: SEARCH, body: forms[form](search) })
  if (answer.kind !== 'answer') return { failure: answer.kind }
  if (answer.status === 403) return { failure: 'forbidden' }
  if (NOT_FOUND.includes(answer.status)) return { failure: 'absent' }
  const result = answer.status === OK ? parseXml(answer.body) : null
  if (result?.name !== 'CMSearchResult') return { failure: 'foreign' }
  const items = childAt(result, 'matchList')?.children ?? []
  const files = items.flatMap((item) => readFile(item, clock) ?? [])
  return { files, hasMore: /^more$/i.test(childAt(result, 'responseStatusStrg')?.text.trim() ?? '') }
}

function readFile(item: XmlElement, clock: RecorderClock): Span | null {
  const at = (name: string) => readTime(childAt(item, 'timeSpan', name)?.text.trim() ?? '', clock)
  const [fromMs, toMs] = [at('startTime'), at('endTime')]
  return toMs > fromMs ? { fromMs, toMs } : null
}

const zoneMs = ({ zIsLocal, zoneMin }: RecorderClock): number => (zIsLocal ? zoneMin * 60_000 : 0)

/** `2026-01-01T12:00:00Z`, in the reading of the recorder. */
const zText = (ms: number, clock: RecorderClock): string =>
  `${new Date(ms + clock.offsetMs + zoneMs(clock)).toISOString().slice(0, 19)}Z`

/** True time, epoch ms; NaN: no time. Some firmwares write the offset of their zone instead of `Z`. */
function readTime(text: string, clock: RecorderClock): number {
  const [, moment, zone = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)?$/i.exec(text) ?? []
  if (moment === undefined) return Number.NaN
  const hasOffset = zone !== '' && zone.toUpperCase() !== 'Z'
  return Date.parse(`${moment}${hasOffset ? zone : 'Z'}`) - clock.offsetMs - (hasOffset ? 0 : zoneMs(clock))
}
