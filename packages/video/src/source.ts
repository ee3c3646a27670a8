import { resolve } from 'node:path'

/** Where the pictures come from, after the address was judged. */
export type Source =
  | { readonly kind: 'rtsp'; readonly url: string; readonly host: string; readonly port: number; readonly tls: boolean }
  | { readonly kind: 'file'; readonly path: string }

const scheme = /^[a-z][a-z0-9+.-]*:/i
const defaultPorts = { 'rtsp:': 554, 'rtsps:': 322 } as const

/**
 * Judges an address before FFmpeg sees it. FFmpeg would also open `http:`, `concat:`, `subfile:`, `tcp:` and dozens more,
 * so only rtsp, rtsps and plain paths pass. Control characters and blanks are refused because FFmpeg copies the
 * address into request lines as it is. Returns null for an address that is not usable.
 */
export function parseSource(address: string): Source | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (address === '' || /[\u0000-\u001f\u007f]/.test(address)) return null
  const found = scheme.exec(address)?.[0].toLowerCase()
  if (found === undefined) return { kind: 'file', path: resolve(address) }
  if (found !== 'rtsp:' && found !== 'rtsps:') return null
  if (/\s/.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === '') return null
  const port = url.port === '' ? defaultPorts[found] : Number(url.port)
  return { kind: 'rtsp', url: address, host, port, tls: found === 'rtsps:' }
}
