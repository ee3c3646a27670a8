/** Percent-encodes all but RFC 3986 unreserved characters, so that the result is safe in userinfo, path and query. */
export const percentEncode = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Decodes each run of escapes. A malformed run is kept: people type a bare `%` in a password (`100%certo`). */
export const percentDecode = (value: string): string =>
  value.replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      // decodeURIComponent throws only URIError: the bytes are no UTF-8.
      return run
    }
  })
