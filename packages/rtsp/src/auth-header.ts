export interface AuthHeader {
  /** Lower case: `digest`, `basic`. */
  readonly scheme: string
  /** Names in lower case, values without quotes. */
  readonly params: ReadonlyMap<string, string>
  /** Text behind the scheme when it is no parameter list (the credentials of Basic). */
  readonly token: string | null
}

/** Longer values are ignored. */
const MAX_HEADER = 4096

/**
 * Reads a WWW-Authenticate or Authorization value (RFC 9110 11.2–11.6). Quoted strings may contain blanks, commas and
 * escaped quotes; one value may hold several challenges. Never throws; unreadable parts are skipped.
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

/** Formats a value as quoted-string; control characters are invalid in a header and dropped. */
export const quote = (value: string): string =>
  `"${value.replace(/[^ -~\u0080-\uffff]/g, '').replace(/["\\]/g, '\\$&')}"`
