/** Larger than any frame that a camera gives, bytes. */
const MAX_FRAME = 10 * 1024 * 1024
/** The lines before a frame, bytes. */
const MAX_HEADERS = 4096

interface MjpegParser {
  push(bytes: Uint8Array): void
}

/**
 * Takes the pictures out of a multipart body (RFC 2046, 5.1.1) whose parts say their length; `push` takes it in whatever pieces
 * the network made, and throws when it is something else.
 */
export function createMjpegParser(onFrame: (jpeg: Uint8Array<ArrayBuffer>) => void): MjpegParser {
  let held = new Uint8Array(0)
  /** Bytes of the frame whose headers were read; null: headers come next. */
  let length: number | null = null

  const take = (count: number): Uint8Array<ArrayBuffer> => {
    const taken = held.slice(0, count)
    held = held.slice(count)
    return taken
  }
  /** Reads one thing off what is held; false when more bytes are needed. */
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

/** Where the empty line ends; -1: it has not come. */
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
