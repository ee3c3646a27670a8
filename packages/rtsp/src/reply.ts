/** A reply of a server (RFC 2326 7). */
export interface Reply {
  readonly status: number
  /** Names in lower case; a repeated name has several values. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  /** The received part: shorter than announced after a lost connection or above the limit. */
  readonly body: Buffer
}

export type Reading =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'incomplete' }
  /** The bytes do not begin like RTSP/1.0. */
  | { readonly kind: 'not_rtsp'; readonly start: Buffer }
  /** Headers without an end. */
  | { readonly kind: 'overlong' }

export interface ReplyReader {
  push(chunk: Buffer): Reading
  /** Returns the result at the end of the connection, also a reply with an incomplete body. */
  end(): Reading
  /** Whether the bytes begin like RTSP. */
  readonly isRtsp: boolean
}

/** Largest number of bytes read for one request: headers, body and replies to other requests together. */
export const LIMIT = 64 * 1024
const PREFIX = 'RTSP/1.0'

/**
 * Reads the reply to the request `cseq` from the bytes of a connection. Accepts bare LF, a CSeq of 0, missing CSeq or
 * Content-Length, and packets and other replies in between. The size is bounded regardless of the announced length.
 */
export function createReplyReader(cseq: number): ReplyReader {
  const buffer = Buffer.allocUnsafe(LIMIT)
  let start = 0
  let length = 0
  let isRtsp = false
  /**
   * Index from which the end of the headers is searched, so that bytes that arrive one by one cause only linear work.
   */
  let searched = 0
  let head: (Head & { readonly end: number }) | null = null

  const skip = (bytes: number) => {
    start += bytes
    searched = start
    head = null
  }

  /** Skips empty lines (4.1) and interleaved packets (10.12) before a reply. */
  function skipNoise(): void {
    for (;;) {
      const byte = start < length ? buffer[start] : undefined
      const isEmptyLine = byte === 0x0d || byte === 0x0a
      const packet = byte === 0x24 && length - start >= 4 ? 4 + buffer.readUInt16BE(start + 2) : 0
      if (!isEmptyLine && (packet === 0 || length - start < packet)) return
      skip(isEmptyLine ? 1 : packet)
    }
  }

  /** The index behind the empty line that ends the headers, or -1. */
  function headEnd(): number {
    const from = Math.max(start, searched - 3)
    searched = length
    const ends = ['\n\r\n', '\n\n'].map((mark) => {
      const at = buffer.subarray(0, length).indexOf(mark, from)
      return at < 0 ? length + 1 : at + mark.length
    })
    const end = Math.min(...ends)
    return end > length ? -1 : end
  }

  const waiting = (): Reading => (length === LIMIT ? { kind: 'overlong' } : { kind: 'incomplete' })
  const foreign = (): Reading => ({ kind: 'not_rtsp', start: Buffer.from(buffer.subarray(start, length)) })

  function read(ended: boolean): Reading {
    for (;;) {
      if (!head) {
        skipNoise()
        if (start === length || buffer[start] === 0x24) return waiting()
        const begun = buffer.toString('latin1', start, Math.min(length, start + PREFIX.length))
        if (!PREFIX.startsWith(begun)) return foreign()
        isRtsp ||= begun === PREFIX
        const end = headEnd()
        if (end < 0) return waiting()
        const parsed = parseReplyHead(buffer.toString('latin1', start, end))
        if (!parsed) return foreign()
        head = { ...parsed, end }
      }
      const { end, ...rest } = head
      const bodyEnd = end + bodyLength(rest)
      const isComplete = bodyEnd <= length
      // Provisional replies (1xx) and replies to other requests are skipped.
      const isOurs = rest.status >= 200 && namedRequest(rest, cseq) === cseq
      if (isOurs && (isComplete || ended || length === LIMIT))
        return { kind: 'reply', reply: { ...rest, body: Buffer.from(buffer.subarray(end, Math.min(bodyEnd, length))) } }
      if (!isComplete) return waiting()
      skip(bodyEnd - start)
    }
  }

  return {
    push(chunk) {
      length += chunk.copy(buffer, length)
      return read(false)
    },
    end: () => read(true),
    get isRtsp() {
      return isRtsp
    },
  }
}

type Head = Omit<Reply, 'body'>

/** Reads status line and headers, with or without the final empty line; null when it is no RTSP/1.0 reply. */
export function parseReplyHead(text: string): Head | null {
  const [first = '', ...lines] = text.split(/\r?\n/)
  const status = /^RTSP\/1\.0\s+(\d{3})(\s|$)/.exec(first)?.[1]
  if (status === undefined) return null
  return { status: Number(status), headers: parseHeaders(lines) }
}

/** Names in lower case. A line without a name is skipped. */
export function parseHeaders(lines: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const at = line.indexOf(':')
    if (at <= 0) continue
    const name = line.slice(0, at).trim().toLowerCase()
    const value = line.slice(at + 1).trim()
    const values = headers.get(name)
    if (values) values.push(value)
    else headers.set(name, [value])
  }
  return headers
}

/** Number of the request. Some firmware omits it or sends 0, which is no number of a request: then it is `cseq`. */
function namedRequest({ headers }: Head, cseq: number): number {
  const named = Number(headers.get('cseq')?.[0] ?? cseq)
  return named > 0 ? named : cseq
}

/** Bytes. A description without a length lasts until the connection ends, as in HTTP. */
function bodyLength({ status, headers }: Head): number {
  const text = headers.get('content-length')?.[0]
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text)
  return status === 200 ? Number.POSITIVE_INFINITY : 0
}
