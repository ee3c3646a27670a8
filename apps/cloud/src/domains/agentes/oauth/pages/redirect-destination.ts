/** Portuguese name of the destination, which a person can compare with the program in use. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return host
  if (protocol === 'http:') return `este computador (${host})`
  return `o programa deste computador que abre endereços ${protocol}`
}

/** Whether the redirect stays on the person's computer, where no other site can receive it. */
export const staysHere = (redirectUri: string): boolean => new URL(redirectUri).protocol !== 'https:'

/**
 * Sources of `form-action` for a form whose answer redirects to this URI. Chromium applies the policy to further
 * redirects too. So every https address is allowed, for example the success page of a client. This reveals no secrets:
 * the program chose the redirect URI, and the form contains only values for this server. CSP has no syntax for IPv6
 * addresses, so only the scheme is listed.
 */
export function formActionOf(redirectUri: string): readonly string[] {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return ['https:']
  if (protocol === 'http:') return [host.startsWith('[') ? 'http:' : `http://${host}`, 'https:']
  return [protocol]
}
