import { parseHeaders, parseReplyHead, type Reply } from '../reply.ts'

/** A request sent by the server (RFC 2326 10). */
export interface ServerRequest {
  readonly method: string
  readonly cseq: string
}

export interface WireHandlers {
  /** One interleaved frame (RFC 2326 10.12): the view `bytes[start, end)` is valid only during the call. */
  onFrame(channel: number, bytes: Buffer, start: number, end: number): void
  onReply(reply: Reply): void
  onRequest(request: ServerRequest): void
  /** The connection does not begin with RTSP. Called at most once; no bytes are read afterwards. */
  onForeign(): void
}

export interface WireReader {
  push(chunk: Buffer): void
  /** Whether a complete RTSP message has arrived. */
  readonly spokeRtsp: boolean
}

const FRAME_HEADER = 4
export const MAX_HEAD = 16 * 1024
export const MAX_BODY = 64 * 1024
/** Largest incomplete message kept in memory, in bytes; a frame has at most 4 + 65,535 bytes. */
const MAX_HELD = MAX_HEAD + MAX_BODY
const DOLLAR = 0x24
const CR = 0x0d
const LF = 0x0a
const REPLY = 'RTSP/1.0 '
const METHODS = [
  'OPTIONS',
  'ANNOUNCE',
  'GET_PARAMETER',
  'SET_PARAMETER',
  'TEARDOWN',
  'REDIRECT',
  'PLAY_NOTIFY',
  'DESCRIBE',
].map((method) => `${method} `)

/** Result of `takeOne`: the message is not complete. */
const INCOMPLETE = -1

/**
 * Splits the bytes of a connection into frames, replies and requests. Frames are views into the received chunk. Only
 * messages that cross chunks are copied, and at most MAX_HELD bytes are kept. After the first reply, bytes that begin
 * no message are skipped: some recorders send stray bytes between frames.
 */
export function createWireReader(handlers: WireHandlers): WireReader {
  const held = createHeldBytes()
  let spokeRtsp = false
  let foreign = false
  /** True while stray bytes are skipped: a `$` counts only with an RTP version behind it. */
  let lost = false

  /** Handles the message or stray byte at `start`; returns the index behind it, or INCOMPLETE. */
  function takeOne(bytes: Buffer, start: number, end: number): number {
    const first = bytes[start]
    if (first === DOLLAR) return takeFrame(bytes, start, end)
    if (first === CR || first === LF) return start + 1
    const begins = textBegins(bytes, start, end)
    if (begins === 'partly') return INCOMPLETE
    if (begins === 'no') return stray(bytes, start, end)
    return takeText(bytes, start, end, begins)
  }

  function takeFrame(bytes: Buffer, start: number, end: number): number {
    if (end - start < FRAME_HEADER) return INCOMPLETE
    const from = start + FRAME_HEADER
    const to = from + bytes.readUInt16BE(start + 2)
    if (lost) {
      if (end === from) return INCOMPLETE
      if (((bytes[from] ?? 0) & 0xc0) !== 0x80) return stray(bytes, start, end)
    }
    if (to > end) return INCOMPLETE
    lost = false
    handlers.onFrame(bytes[start + 1] ?? 0, bytes, from, to)
    return to
  }

  function takeText(bytes: Buffer, start: number, end: number, kind: 'reply' | 'request'): number {
    const behind = headEnd(bytes, start, Math.min(end, start + MAX_HEAD))
    if (behind < 0) return end - start < MAX_HEAD ? INCOMPLETE : stray(bytes, start, end)
    const text = bytes.toString('latin1', start, behind)
    const head = kind === 'reply' ? parseReplyHead(text) : requestHead(text)
    if (!head) return stray(bytes, start, end)
    const length = bodyLength(head.headers)
    if (length > MAX_BODY) return stray(bytes, start, end)
    const to = behind + length
    if (to > end) return INCOMPLETE
    spokeRtsp = true
    lost = false
    if ('status' in head) handlers.onReply({ ...head, body: Buffer.from(bytes.subarray(behind, to)) })
    else handlers.onRequest({ method: head.method, cseq: head.headers.get('cseq')?.[0] ?? '' })
    return to
  }

  function stray(bytes: Buffer, start: number, end: number): number {
    if (!spokeRtsp) {
      foreign = true
      handlers.onForeign()
      return end
    }
    lost = true
    for (let at = start + 1; at < end; at++) {
      const byte = bytes[at] ?? 0
      // `$`, or a letter with which a reply or a request begins.
      if (byte === DOLLAR || (byte >= 0x41 && byte <= 0x54)) return at
    }
    return end
  }

  /** Takes all complete messages of `bytes[start, end)`; returns the index of the first incomplete one. */
  function takeAll(bytes: Buffer, start: number, end: number): number {
    let at = start
    while (at < end && !foreign) {
      const next = takeOne(bytes, at, end)
      if (next === INCOMPLETE) return at
      at = next
    }
    return end
  }

  /** Completes the held message with bytes of the chunk; returns how many of them are used. */
  function complete(chunk: Buffer): number {
    let used = 0
    while (held.length > 0 && used < chunk.length && !foreign) {
      const before = held.length
      const take = Math.min(held.missing(), chunk.length - used, MAX_HELD - held.length)
      held.add(chunk, used, used + take)
      used += take
      let next = takeOne(held.bytes, 0, held.length)
      // Bytes that exceed the limit are no message.
      if (next === INCOMPLETE && held.length === MAX_HELD) next = stray(held.bytes, 0, held.length)
      if (next === INCOMPLETE) continue
      if (next >= before) {
        // The unused rest of the copied bytes is read again from the chunk.
        used -= held.length - next
        held.clear()
      } else {
        used -= take
        held.keep(next, before)
      }
    }
    return used
  }

  return {
    push(chunk) {
      const start = held.length > 0 ? complete(chunk) : 0
      if (held.length > 0 || foreign) return
      const rest = takeAll(chunk, start, chunk.length)
      if (rest < chunk.length) held.add(chunk, rest, chunk.length)
    },
    get spokeRtsp() {
      return spokeRtsp
    },
  }
}

/** The begin of a message that crosses chunks. */
function createHeldBytes() {
  let held = Buffer.allocUnsafe(4096)
  let heldLength = 0
  return {
    get bytes() {
      return held
    },
    get length() {
      return heldLength
    },
    add(chunk: Buffer, start: number, end: number): void {
      const length = heldLength + end - start
      if (length > held.length) {
        const larger = Buffer.allocUnsafe(Math.min(MAX_HELD, Math.max(length, held.length * 2)))
        held.copy(larger, 0, 0, heldLength)
        held = larger
      }
      chunk.copy(held, heldLength, start, end)
      heldLength = length
    },
    /** Keeps the bytes from `start` up to `end`. */
    keep(start: number, end: number): void {
      held.copyWithin(0, start, heldLength)
      heldLength = end - start
    },
    clear() {
      heldLength = 0
    },
    /** Returns the number of missing bytes of the held message, as far as its length is known. */
    missing(): number {
      if (held[0] !== DOLLAR) return MAX_HELD
      if (heldLength < FRAME_HEADER) return FRAME_HEADER - heldLength
      // At least 1: while stray bytes are skipped, an empty frame still needs the byte after its header.
      return Math.max(1, FRAME_HEADER + held.readUInt16BE(2) - heldLength)
    },
  }
}

function textBegins(bytes: Buffer, start: number, end: number): 'reply' | 'request' | 'partly' | 'no' {
  const begun = bytes.toString('latin1', start, Math.min(end, start + 14))
  if (begun.startsWith(REPLY)) return 'reply'
  if (METHODS.some((method) => begun.startsWith(method))) return 'request'
  return REPLY.startsWith(begun) || METHODS.some((method) => method.startsWith(begun)) ? 'partly' : 'no'
}

/** The index behind the empty line that ends the headers (CRLF or bare LF), or -1. */
function headEnd(bytes: Buffer, start: number, end: number): number {
  for (let at = bytes.indexOf(LF, start); at >= 0 && at < end; at = bytes.indexOf(LF, at + 1)) {
    if (at + 1 < end && bytes[at + 1] === LF) return at + 2
    if (at + 2 < end && bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  return -1
}

function requestHead(text: string): { method: string; headers: Map<string, string[]> } | null {
  const [first = '', ...lines] = text.split(/\r?\n/)
  const method = /^([A-Z_]+) \S+ RTSP\/1\.\d\s*$/.exec(first)?.[1]
  return method === undefined ? null : { method, headers: parseHeaders(lines) }
}

/**
 * Returns the size of the body in bytes; 0 without a Content-Length, because the connection stays open after the reply.
 */
function bodyLength(headers: ReadonlyMap<string, readonly string[]>): number {
  const text = headers.get('content-length')?.[0] ?? '0'
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}
