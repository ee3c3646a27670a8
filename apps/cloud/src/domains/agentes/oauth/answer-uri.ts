/**
 * The client's redirect URI with the answer added to its query (RFC 6749 section 4.1.2). An existing query stays
 * unchanged. `iss` identifies the server (RFC 9207), against mix-up attacks. An empty `state` is omitted.
 */
export function answerUri(
  redirectUri: string,
  answer: Readonly<Record<string, string>>,
  state: string,
  issuer: string,
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== '' && { state }), iss: issuer })
  const joint = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?'
  return `${redirectUri}${joint}${parameters}`
}
