/**
 * The client's redirect URI with the answer in its query (RFC 6749 section 4.1.2): a query of its own stays, letter by
 * letter. `iss` says which server answers (RFC 9207), against a client that mixes two up; an empty `state` is none.
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
