import { childAt, parseXml } from '@vigia/rtsp/xml'
import type { Answer, ListedArchive } from './dahua-cgi.ts'
import { listedFiles } from './listed-files.ts'
import type { ListSettings } from './settings.ts'

const STATUS = '<ResponseStatus><statusCode>6</statusCode><subStatusCode>badXmlContent</subStatusCode></ResponseStatus>'
const badXml: Answer = { status: 400, body: STATUS }

/** Answers Hikvision's content search (`POST /ISAPI/ContentMgmt/search`). */
export function searchHikvision(body: string, archive: ListedArchive, settings: ListSettings): Answer {
  const search = parseXml(body)
  const isFull = body.startsWith('<?xml') && body.includes('<metadataList>')
  if (search?.name !== 'CMSearchDescription' || (settings.forma === 'curta' && isFull)) return badXml
  if (settings.forma === 'completa' && !isFull) return badXml
  const textOf = (...path: string[]) => childAt(search, ...path)?.text.trim() ?? ''
  const at = (name: string) => Date.parse(textOf('timeSpanList', 'timeSpan', name)) - archive.zMs
  const [from, to] = [at('startTime'), at('endTime')]
  const track = Number(textOf('trackList', 'trackID'))
  if (Number.isNaN(from) || Number.isNaN(to) || Number.isNaN(track)) return badXml
  const canal = Math.floor(track / 100)
  const isKnown = canal >= 1 && canal <= archive.canais
  const files = isKnown ? listedFiles(archive.trechos, from, to) : []
  const position = settings.ignoraPosicao ? 0 : Number(textOf('searchResultPostion'))
  const taken = files.slice(position, position + Math.min(Number(textOf('maxResults')), settings.pagina))
  const hasMore = position + taken.length < files.length
  const items = taken.map(
    ({ inicio, fim }) =>
      `<searchMatchItem><trackID>${track}</trackID><timeSpan>` +
      `<startTime>${timeText(inicio, archive, settings)}</startTime>` +
      `<endTime>${timeText(fim, archive, settings)}</endTime></timeSpan>` +
      '<mediaSegmentDescriptor><contentType>video</contentType></mediaSegmentDescriptor></searchMatchItem>',
  )
  const status = taken.length === 0 ? 'NO MATCHES' : hasMore ? 'MORE' : 'OK'
  return {
    status: 200,
    body:
      '<?xml version="1.0" encoding="UTF-8"?>' +
      '<CMSearchResult version="1.0" xmlns="http://www.hikvision.com/ver20/XMLSchema">' +
      `<responseStatus>true</responseStatus><responseStatusStrg>${status}</responseStatusStrg>` +
      `<numOfMatches>${taken.length}</numOfMatches><matchList>${items.join('')}</matchList></CMSearchResult>`,
  }
}

function timeText(ms: number, { zMs, wallMs, zoneMin }: ListedArchive, { comDesvio }: ListSettings): string {
  const shown = new Date(ms + (comDesvio ? wallMs : zMs)).toISOString().slice(0, 19)
  if (!comDesvio) return `${shown}Z`
  const [sign, minutes] = [zoneMin < 0 ? '-' : '+', Math.abs(zoneMin)]
  const two = (value: number) => String(value).padStart(2, '0')
  return `${shown}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
