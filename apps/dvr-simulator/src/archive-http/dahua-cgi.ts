import type { RecordedSpan } from '../rtp/recorded-units.ts'
import { listedFiles } from './listed-files.ts'
import type { ListSettings } from './settings.ts'

export interface ListedArchive {
  readonly trechos: readonly RecordedSpan[]
  /** The wall clock of the recorder minus the true time, ms. */
  readonly wallMs: number
  /** Times with `Z` of this firmware minus the true time, ms. */
  readonly zMs: number
  readonly zoneMin: number
  /** Number of channels. */
  readonly canais: number
}

export interface Answer {
  readonly status: number
  readonly body: string
}

interface Finder {
  files: readonly RecordedSpan[]
  /** As in the answer, from 0. */
  channel: number
}

const badRequest: Answer = { status: 400, body: 'Error\r\nBad Request!\r\n' }
const ok: Answer = { status: 200, body: 'OK\r\n' }
/** Finders that a recorder has. A client that does not destroy them soon gets no more. */
const MAX_FINDERS = 4

/** The finders of Dahua's `mediaFileFind.cgi`. */
export function createDahuaCgi(archive: ListedArchive, settings: ListSettings) {
  const finders = new Map<string, Finder>()
  let next = 8137

  function find(finder: Finder, query: URLSearchParams): Answer {
    const channel = Number(query.get('condition.Channel')) - settings.canalInicial
    const hasTypes = [...query.keys()].some((name) => name.startsWith('condition.Types'))
    const from = wallTime(query.get('condition.StartTime'))
    const to = wallTime(query.get('condition.EndTime'))
    if (!(channel >= 0 && channel < archive.canais) || (hasTypes && settings.semTipos)) return badRequest
    if (Number.isNaN(from) || Number.isNaN(to)) return badRequest
    finder.files = listedFiles(archive.trechos, from - archive.wallMs, to - archive.wallMs)
    finder.channel = channel
    return finder.files.length === 0 ? badRequest : ok
  }

  function page(finder: Finder, count: number): Answer {
    const taken = finder.files.slice(0, Math.min(count, settings.pagina))
    finder.files = finder.files.slice(taken.length)
    const at = (ms: number) => wallText(ms + archive.wallMs, settings.semZeros)
    const lines = taken.flatMap(({ inicio, fim }, index) => [
      `items[${index}].Channel=${finder.channel}`,
      `items[${index}].EndTime=${at(fim)}`,
      `items[${index}].FilePath=/mnt/dvr/sda0/${inicio}.dav`,
      `items[${index}].Flags[0]=Timing`,
      `items[${index}].StartTime=${at(inicio)}`,
      `items[${index}].Type=dav`,
      `items[${index}].VideoStream=Main`,
    ])
    return { status: 200, body: [`found=${taken.length}`, ...lines, ''].join('\r\n') }
  }

  return {
    get open() {
      return finders.size
    },
    answer(query: URLSearchParams): Answer {
      const action = query.get('action')
      const object = query.get('object') ?? ''
      if (action === 'factory.create') {
        if (finders.size >= MAX_FINDERS) return { status: 503, body: 'Error\r\n' }
        const id = `0${next++}`
        finders.set(id, { files: [], channel: 0 })
        return { status: 200, body: `result=${id}\r\n` }
      }
      const finder = finders.get(object)
      if (!finder) return badRequest
      if (action === 'findFile') return find(finder, query)
      if (action === 'findNextFile') return page(finder, Number(query.get('count')))
      if (action === 'destroy') finders.delete(object)
      return action === 'close' || action === 'destroy' ? ok : badRequest
    },
  }
}

/** `2026-1-1 12:00:00` or with leading zeros, read as UTC; NaN: no time. */
function wallTime(text: string | null): number {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2}) (\d{1,2}):(\d{1,2}):(\d{1,2})$/.exec(text ?? '')
  const [year = Number.NaN, month = 1, ...rest] = (match ?? []).slice(1).map(Number)
  return Date.UTC(year, month - 1, ...rest)
}

function wallText(ms: number, isShort: boolean): string {
  const text = new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
  return isShort ? text.replaceAll(/(?<=[- ])0(?=\d)/g, '') : text
}
