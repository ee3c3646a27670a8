import type { IncomingHttpHeaders } from 'node:http'

/**
 * Pause in ms that an answer asks for by `Retry-After` (RFC 9110, 10.2.3). The value is a number of seconds, or a time,
 * which is compared with `Date` of the same answer because clocks differ. undefined: none.
 */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - sentAt(headers)
  return ms > 0 ? ms : undefined
}

const sentAt = ({ date = '' }: IncomingHttpHeaders): number => Date.parse(date) || Date.now()
