const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Whether arrays and objects in the JSON text are nested more than `limit` levels deep. Reads each byte once and
 * without recursion. In UTF-8 no byte of a longer character equals a bracket or a quotation mark. The result for
 * invalid JSON is arbitrary: the parser rejects it afterwards.
 */
export function deeperThan(json: Uint8Array, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i] ?? 0
    if (inString) {
      // Any character after a backslash belongs to the string.
      if (byte === BACKSLASH) i += 1
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (CLOSING.has(byte)) depth -= 1
    else if (OPENING.has(byte)) {
      depth += 1
      if (depth > limit) return true
    }
  }
  return false
}
