import { resolve } from 'node:path'

/** A checked address of pictures. */
export type Source =
  | { readonly kind: 'rtsp'; readonly url: string; readonly host: string; readonly port: number; readonly tls: boolean }
  | { readonly kind: 'file'; readonly path: string }

const scheme = /^[a-z][a-z0-9+.-]*:/i
const defaultPorts = { 'rtsp:': 554, 'rtsps:': 322 } as const

/**
 * Checks an address before FFmpeg uses it. Only rtsp, rtsps and plain paths pass, because FFmpeg would also open
 * `http:`, `concat:`, `subfile:`, `tcp:` and dozens more. Control characters and blanks are rejected, because FFmpeg
 * copies the address unchanged into request lines. Returns null for an unusable address.
 */
export function parseSource(address: string): Source | null {
  if (address === '' || /[^ -~\u0080-\uffff]/.test(address)) return null
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
