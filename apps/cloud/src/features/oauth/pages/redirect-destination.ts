/** Where an answer goes, in words that a person can compare with what they started. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return host
  if (protocol === 'http:') return `este computador (${host})`
  return `o programa deste computador que abre endereços ${protocol}`
}

/** Whether the answer stays on the person's own computer: no other site can wait for it there. */
export const staysHere = (redirectUri: string): boolean => new URL(redirectUri).protocol !== 'https:'

/**
 * Sources of `form-action` for a form that is answered by a redirect there. Chromium holds every further redirect to it too,
 * so that a client's own next address (a page that says that all went well) has to be let through: any https one. It
 * gives nothing away: the redirect URI itself is of the program's choice, and the form holds nothing that is worth
 * anything elsewhere. CSP has no form for IPv6 addresses: the scheme alone.
 */
export function formActionOf(redirectUri: string): readonly string[] {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return ['https:']
  if (protocol === 'http:') return [host.startsWith('[') ? 'http:' : `http://${host}`, 'https:']
  return [protocol]
}
