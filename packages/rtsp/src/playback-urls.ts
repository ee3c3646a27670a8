import { matchStreamPath } from './maker-urls.ts'
import { percentEncode } from './percent.ts'
import { readRtspUrl } from './rtsp-url.ts'

/** How a recorder names moments in its playback addresses. */
export interface RecorderClock {
  /** Its clock minus the true time, ms. */
  readonly offsetMs: number
  /** Its zone, minutes east of UTC. */
  readonly zoneMin: number
  /** Hikvision: `Z` follows the wall clock of the recorder, not UTC. Firmwares differ. */
  readonly zIsLocal: boolean
}

/** A part of a recording, epoch ms. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Makers with the times in the address of the playback. */
export type PlaybackForm = 'dahua' | 'hikvision'

export interface PlaybackTarget {
  readonly form: PlaybackForm
  /** Counted from 1. */
  readonly canal: number
  readonly stream: 'principal' | 'sub'
}

const forms: Partial<Record<string, PlaybackForm>> = {
  intelbras: 'dahua',
  dahua: 'dahua',
  hikvision: 'hikvision',
  jfl: 'hikvision',
}

/** Recording that belongs to a live address; null: the maker has no known form of playback. */
export function playbackTarget(liveUrl: string): PlaybackTarget | null {
  const path = matchStreamPath(liveUrl.replace(/^rtsps?:\/\/[^/]*/i, ''))
  const form = path && forms[path.fabricante]
  return form ? { form, canal: path.canal, stream: path.stream } : null
}

/**
 * Address from which the recorder of a live address plays `span`. Dahua and Intelbras expect the parameters in this
 * order. Null: the maker has no known form. Throws RangeError for a text that is no RTSP URL.
 */
export function playbackUrl(liveUrl: string, span: Span, clock: RecorderClock): string | null {
  const target = playbackTarget(liveUrl)
  if (!target) return null
  const { credentials, host, porta, tls } = readRtspUrl(liveUrl)
  const login = credentials ? `${percentEncode(credentials.usuario)}:${percentEncode(credentials.senha)}@` : ''
  const authority = `${tls ? 'rtsps' : 'rtsp'}://${login}${host.includes(':') ? `[${host}]` : host}:${porta}`
  return `${authority}${playbackPath(target, span, clock)}`
}

/** Path and query of `playbackUrl`. */
export function playbackPath({ form, canal, stream }: PlaybackTarget, span: Span, clock: RecorderClock): string {
  if (form === 'dahua') {
    const at = (ms: number) => stamp(ms + clock.offsetMs + clock.zoneMin * 60_000).replaceAll(/[-T:]/g, '_')
    const subtype = stream === 'sub' ? 1 : 0
    return `/cam/playback?channel=${canal}&subtype=${subtype}&starttime=${at(span.fromMs)}&endtime=${at(span.toMs)}`
  }
  const zoneMs = clock.zIsLocal ? clock.zoneMin * 60_000 : 0
  const at = (ms: number) => `${stamp(ms + clock.offsetMs + zoneMs).replaceAll(/[-:]/g, '')}Z`
  const track = canal * 100 + (stream === 'sub' ? 2 : 1)
  return `/Streaming/tracks/${track}?starttime=${at(span.fromMs)}&endtime=${at(span.toMs)}`
}

/** `2026-01-01T00:00:00`; playback addresses have no fractions. */
const stamp = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)

/** A playback address as a recorder reads it. Times are those of its clock, read as UTC, epoch ms. */
export interface PlaybackRequest extends PlaybackTarget {
  readonly fromMs: number
  /** null: without an end. */
  readonly toMs: number | null
}

const dahua = /^\/cam\/playback\?channel=(\d{1,3})&subtype=([01])&starttime=([\d_]{19})(?:&endtime=([\d_]{19}))?$/i
const hikvision =
  /^\/Streaming\/tracks\/(\d{1,3})0([12])\/?\?starttime=(\d{8}T\d{6}Z)(?:&endtime=(\d{8}T\d{6}Z))?(?:&.*)?$/i

/** The inverse of `playbackPath`, for a request's path and query; null: another form. */
export function matchPlaybackPath(path: string): PlaybackRequest | null {
  const dahuaMatch = dahua.exec(path)
  const match = dahuaMatch ?? hikvision.exec(path)
  if (!match) return null
  const [, canal, stream, from = '', to] = match
  const fromMs = readTime(from)
  const toMs = to === undefined ? null : readTime(to)
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) return null
  const form = dahuaMatch ? 'dahua' : 'hikvision'
  const isSub = stream === (dahuaMatch ? '1' : '2')
  return { form, canal: Number(canal), stream: isSub ? 'sub' : 'principal', fromMs, toMs }
}

/** `2026_01_01_00_00_00` or `20260101T000000Z`, upper or lower case; NaN: no time. */
function readTime(text: string): number {
  const digits = text.replaceAll(/\D/g, '')
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
