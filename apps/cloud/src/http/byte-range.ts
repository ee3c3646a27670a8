import type { ByteRange } from '../adapters/media-store/interface.ts'

/**
 * The range of a `Range` header (RFC 9110, 14.1.2). null: the whole file, also for several ranges and other units.
 * `fora`: the range begins after the end of the file.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'fora' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '')
    return Number(to) === 0 || size === 0 ? 'fora' : { first: Math.max(0, size - Number(to)), last: size - 1 }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return null
  return first >= size ? 'fora' : { first, last }
}
