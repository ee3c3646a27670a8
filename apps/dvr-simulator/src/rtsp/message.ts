/** Reads requests and the interleaved packets between them (RFC 2326 10.12), and writes responses (RFC 2326 4–7). */
export interface RtspRequest {
  readonly method: string
  readonly uri: string
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
}

export type Incoming =
  | { readonly kind: 'request'; readonly request: RtspRequest }
  /** A packet from the client (its receiver reports). */
  | { readonly kind: 'interleaved'; readonly channel: number }
  /** The bytes are not RTSP; all later bytes are ignored. */
  | { readonly kind: 'invalid' }

const MAX_HEAD = 16 * 1024
const MAX_BODY = 64 * 1024
const METHOD_LINE = /^([A-Z_]{1,32}) (\S+) RTSP\/1\.\d$/
const HEADER_LINE = /^([A-Za-z0-9-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/

/** Reads the bytes of a connection; keeps at most one incomplete message of bounded size. */
export function createMessageReader(): { push(chunk: Buffer): Incoming[] } {
  let pending: Buffer = Buffer.alloc(0)
  let broken = false
  return {
    push(chunk) {
      if (broken) return []
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const found: Incoming[] = []
      let offset = 0
      for (;;) {
        const taken = takeMessage(pending.subarray(offset))
        if (taken === 'incomplete') break
        if (taken === 'invalid') {
          broken = true
          pending = Buffer.alloc(0)
          return [...found, { kind: 'invalid' }]
        }
        offset += taken.length
        if (taken.incoming) found.push(taken.incoming)
      }
      // Copied, so that a few pending bytes do not keep a whole chunk in memory.
      pending = Buffer.from(pending.subarray(offset))
      return found
    },
  }
}

type Taken = { readonly length: number; readonly incoming: Incoming | null } | 'incomplete' | 'invalid'

function takeMessage(bytes: Buffer): Taken {
  if (bytes.length === 0) return 'incomplete'
  if (bytes[0] === 0x24) {
    if (bytes.length < 4) return 'incomplete'
    const length = 4 + bytes.readUInt16BE(2)
    return bytes.length < length ? 'incomplete' : { length, incoming: { kind: 'interleaved', channel: bytes[1] ?? 0 } }
  }
  // Empty lines before a request are ignored (4.1).
  if (bytes[0] === 0x0d || bytes[0] === 0x0a) return { length: 1, incoming: null }
  const end = bytes.subarray(0, MAX_HEAD).indexOf('\r\n\r\n')
  if (end < 0) return bytes.length >= MAX_HEAD || !resemblesText(bytes) ? 'invalid' : 'incomplete'
  const request = parseHead(bytes.toString('latin1', 0, end))
  if (!request) return 'invalid'
  const body = Number(request.headers.get('content-length') ?? 0)
  if (!Number.isInteger(body) || body < 0 || body > MAX_BODY) return 'invalid'
  const length = end + 4 + body
  // The body of a request (GET_PARAMETER) is ignored.
  return bytes.length < length ? 'incomplete' : { length, incoming: { kind: 'request', request } }
}

/** A request line begins with a capital letter; this check refuses TLS, HTTP bodies and noise at once. */
const resemblesText = (bytes: Buffer): boolean =>
  /^[A-Z][\x20-\x7e]*$/.test(bytes.toString('latin1', 0, 16).split('\r')[0] ?? '')

function parseHead(head: string): RtspRequest | null {
  const [first = '', ...lines] = head.split('\r\n')
  const match = METHOD_LINE.exec(first)
  if (!match) return null
  const headers = new Map<string, string>()
  for (const line of lines) {
    const header = HEADER_LINE.exec(line)
    if (!header) return null
    const [, name = '', value = ''] = header
    headers.set(name.toLowerCase(), value)
  }
  return { method: match[1] ?? '', uri: match[2] ?? '', headers }
}

const reasons = {
  200: 'OK',
  302: 'Moved Temporarily',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  453: 'Not Enough Bandwidth',
  454: 'Session Not Found',
  455: 'Method Not Valid in This State',
  461: 'Unsupported Transport',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  551: 'Option not supported',
} as const
export type Status = keyof typeof reasons

export interface RtspResponse {
  readonly status: Status
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Replaces the CSeq of the request; null: none. */
  readonly cseq?: string | null
}

/** Returns the bytes of a response; `requested` is the CSeq of the request, null without a valid one. */
export function formatResponse(response: RtspResponse, requested: string | null): string {
  const { status, headers = {}, body = '', cseq = requested } = response
  const lines = [
    `RTSP/1.0 ${status} ${reasons[status]}`,
    ...(cseq === null ? [] : [`CSeq: ${cseq}`]),
    'Server: Vigia',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
