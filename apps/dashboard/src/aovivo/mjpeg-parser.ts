/** Largest frame in bytes; larger than any frame of a camera. */
const MAX_FRAME = 10 * 1024 * 1024
/** Largest header of a part in bytes. */
const MAX_HEADERS = 4096

interface MjpegParser {
  push(bytes: Uint8Array): void
}

/**
 * Extracts the pictures from a multipart body (RFC 2046, 5.1.1) whose parts have a Content-Length. `push` accepts
 * chunks of any size and throws on a malformed body.
 */
export function createMjpegParser(onFrame: (jpeg: Uint8Array<ArrayBuffer>) => void): MjpegParser {
  let held = new Uint8Array(0)
  /** Length in bytes of the frame whose headers were read; null: headers follow. */
  let length: number | null = null

  const take = (count: number): Uint8Array<ArrayBuffer> => {
    const taken = held.slice(0, count)
    held = held.slice(count)
    return taken
  }
  /** Consumes one header or frame from the buffer; false: more bytes are needed. */
  function step(): boolean {
    if (length !== null) {
      if (held.length < length) return false
      onFrame(take(length))
      length = null
      return true
    }
    const end = endOfHeaders(held)
    if (end === -1) {
      if (held.length > MAX_HEADERS) throw new Error('the live stream has no headers')
      return false
    }
    length = frameLength(new TextDecoder('latin1').decode(take(end)))
    return true
  }
  return {
    push(bytes) {
      const joined = new Uint8Array(held.length + bytes.length)
      joined.set(held)
      joined.set(bytes, held.length)
      held = joined
      while (step());
    },
  }
}

/** Returns the offset behind the empty line; -1: the buffer contains none. */
function endOfHeaders(bytes: Uint8Array): number {
  for (let i = 0; i + 3 < bytes.length; i += 1) {
    if (bytes[i] === 13 && bytes[i + 1] === 10 && bytes[i + 2] === 13 && bytes[i + 3] === 10) return i + 4
  }
  return -1
}

function frameLength(headers: string): number {
  const length = Number(/^content-length:\s*(\d+)\s*$/im.exec(headers)?.[1] ?? Number.NaN)
  if (!(length > 0 && length <= MAX_FRAME)) throw new Error('a frame of the live stream has no valid length')
  return length
}
