/** Percent-encodes all but RFC 3986 unreserved characters, so that the result is safe in userinfo, path and query. */
export const percentEncode = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Returns the decoded value; a malformed value (a raw `%` in a typed password) is returned unchanged. */
export function percentDecode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // decodeURIComponent throws only URIError: the text was never percent-encoded.
    return value
  }
}
