/** Percent-encodes everything but RFC 3986 unreserved characters, so that the result is safe in userinfo, path and query. */
export const percentEncode = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The decoded value; a malformed one (a raw `%` in a password typed by hand) is returned as it stands. */
export function percentDecode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // URIError is the only thing decodeURIComponent throws: the text was never percent-encoded.
    return value
  }
}
