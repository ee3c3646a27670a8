import { canonicalHost } from './address-policy.ts'
import { matchStreamPath } from './maker-urls.ts'
import { maskPassword } from './mask.ts'
import { percentDecode } from './percent.ts'
import { type ServerAddress, serverAddress } from './server-address.ts'

/** Parameters that choose a stream of one picture: main or sub, transport, form of the answer. */
const OF_STREAM = /^(sub|stream|profile|unicast|multicast|link|proto|transport|real_stream|user|pass|pwd)/

/** Device and channel of a stream URL, without credentials. */
export interface View extends ServerAddress {
  /** Without the words that choose the main or the substream; null: any stream of the device. */
  readonly path: string | null
  readonly parameters: ReadonlyMap<string, string>
  /** null: no form of a maker, or one that names a parameter twice. */
  readonly canal: number | null
}

/** null: no URL. */
export function viewOf(url: string): View | null {
  const parsed = URL.parse(maskPassword(url))
  if (parsed === null) return null
  const target = percentDecode(parsed.pathname + parsed.search)
  const names = [...target.matchAll(/(?<=[/?&;_])([a-z]+)=/gi)].map(([, name = '']) => name.toLowerCase())
  const isClear = new Set(names).size === names.length
  const parameters = [...parsed.searchParams].map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    ...serverAddress(parsed),
    path: percentDecode(parsed.pathname)
      .toLowerCase()
      .replace(/main|sub/g, '')
      .replace(/\/+/g, '/')
      .replace(/\/$/, ''),
    parameters: new Map(parameters.filter(([name]) => !OF_STREAM.test(name))),
    canal: isClear ? (matchStreamPath(target)?.canal ?? null) : null,
  }
}

/** All pictures of a device. */
export const deviceView = (host: string): View => ({
  host: canonicalHost(host),
  port: '',
  usesDefaultPort: true,
  path: null,
  parameters: new Map(),
  canal: null,
})

/**
 * Whether two streams may show the same picture: the same device, and the same channel by the forms of the makers, else
 * the same path. The choice of the main or the substream does not count. In doubt they may. Another name of the same
 * device is not found.
 */
export function mayShareView(a: View, b: View): boolean {
  if (a.host !== b.host) return false
  // A device answers at its default port and at others; behind one public address each port is a device.
  if (a.port !== b.port && !a.usesDefaultPort && !b.usesDefaultPort) return false
  if (a.path === null || b.path === null) return true
  if (a.canal !== null && b.canal !== null) return a.canal === b.canal
  if (a.canal !== null || b.canal !== null) return true
  return a.path === b.path && mayAgree(a.parameters, b.parameters)
}

/** Other names of parameters may mean the same channel. */
function mayAgree(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  const comparable = a.size === b.size && [...a.keys()].every((name) => b.has(name))
  return !comparable || [...a].every(([name, value]) => b.get(name) === value)
}
