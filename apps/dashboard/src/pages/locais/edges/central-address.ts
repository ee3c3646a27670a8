/** Why the installer of an edge cannot use an address; null: it can. */
type AddressProblem = 'loopback' | 'semHttps' | null

export interface CentralAddress {
  readonly address: string
  readonly problem: AddressProblem
}

/** Names and addresses of the machine itself (RFC 6761 6.3, RFC 1122 3.2.1.3, RFC 4291 2.5.3). */
const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname)

/**
 * The address of the cloud for another machine: that of this page, unless it only works here and the announced one is
 * better. `announced`: any URL of the cloud's public address; null: not known. `basePath` of the cloud follows it.
 */
export function centralAddress(page: string, announced: string | null, basePath = ''): CentralAddress {
  const candidates = [page, announced].flatMap((text) => (text === null ? [] : (URL.parse(text) ?? [])))
  const ranked = candidates.toSorted((a, b) => rank(a) - rank(b))
  const [best] = ranked
  return { address: (best?.origin ?? page) + basePath, problem: best ? problemOf(best) : 'loopback' }
}

const problemOf = (url: URL): AddressProblem =>
  isLoopback(url) ? 'loopback' : url.protocol === 'https:' ? null : 'semHttps'

const rank = (url: URL): number => [null, 'semHttps', 'loopback'].indexOf(problemOf(url))
