const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Whether arrays and objects in the JSON text stand more than `limit` deep in each other. Looks at each byte once, on the
 * stack of one function, before anything recursive does; in UTF-8 no byte of a longer character looks like a bracket or a
 * quotation mark. What is no JSON has some answer too: the parser refuses it afterwards.
 */
export function deeperThan(json: Uint8Array, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i] ?? 0
    if (inString) {
      // The character after a backslash is part of the string, whatever it is.
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
