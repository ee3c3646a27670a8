import type { PlayRequest } from '../rtp/playback.ts'
import type { RtspRequest } from './message.ts'

const MAX_SCALE = 16
const clock = /^clock=(\d{8}T\d{6}(?:\.\d+)?Z)-(\d{8}T\d{6}(?:\.\d+)?Z)?$/i

/** Reads Range, Scale and Rate-Control of PLAY (RFC 2326 12.29, 12.34; ONVIF Streaming Specification 6.5). */
export function readPlayRequest({ headers }: RtspRequest): PlayRequest {
  const [, from, to] = clock.exec(headers.get('range') ?? '') ?? []
  const scale = Number(headers.get('scale') ?? 1)
  return {
    clock: from === undefined ? null : { fromMs: readClock(from), toMs: to === undefined ? null : readClock(to) },
    scale: scale > 0 && scale <= MAX_SCALE ? scale : 1,
    rateControl: headers.get('rate-control')?.trim().toLowerCase() !== 'no',
  }
}

/** `20260101T030000.5Z` (RFC 2326 3.7). */
const readClock = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/i, '$1-$2-$3T$4:$5:$6').toUpperCase())
