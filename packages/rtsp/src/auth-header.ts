export interface AuthHeader {
  /** Lower case: `digest`, `basic`. */
  readonly scheme: string
  /** Names in lower case, values without their quotes. */
  readonly params: ReadonlyMap<string, string>
  /** What stands behind the scheme when it is no parameter list (the credentials of Basic). */
  readonly token: string | null
}

/** Longer values are not looked at. */
const MAX_HEADER = 4096

/**
 * Reads a WWW-Authenticate or Authorization value (RFC 9110 11.2–11.6): quoted strings may hold blanks, commas and escaped
 * quotes, and one value may carry several challenges. Never throws; what cannot be read is left out.
 */
export function parseAuthHeader(value: string): AuthHeader[] {
  const found: { scheme: string; params: Map<string, string>; token: string | null }[] = []
  const text = value.slice(0, MAX_HEADER)
  const item =
    /[\s,]*(?:([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([A-Za-z][\w-]*)(?=\s|$)(?:\s+([A-Za-z0-9+/._~-]+=*)(?=\s*(?:,|$)))?)/sy
  for (;;) {
    const match = item.exec(text)
    if (!match) return found
    const [, name, quoted, plain, scheme, token] = match
    if (scheme !== undefined) found.push({ scheme: scheme.toLowerCase(), params: new Map(), token: token ?? null })
    else if (name !== undefined)
      found
        .at(-1)
        ?.params.set(name.toLowerCase(), quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/gs, '$1'))
  }
}

/** A value as quoted-string; control characters cannot stand in a header and are dropped. */
export const quote = (value: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  `"${value.replace(/[\u0000-\u001f\u007f]/g, '').replace(/["\\]/g, '\\$&')}"`
