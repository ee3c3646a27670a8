import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** Codings of HTTP and the endings of the compressed copies, best first. */
export const codings = { br: '.br', gzip: '.gz' } as const
export type Coding = keyof typeof codings

export interface PainelFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  /** Vite appends a hash of the content to the names below /assets. */
  readonly hashed: boolean
  /** Compressed copies that the build made. */
  readonly copies: Readonly<Partial<Record<Coding, Uint8Array<ArrayBuffer>>>>
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/**
 * Reads the built dashboard into memory: URL path → file. Requests are answered only from this map, so no path of a
 * request reaches the file system. Empty if the folder does not exist.
 */
export function loadPainelFiles(dir: string): ReadonlyMap<string, PainelFile> {
  const files = new Map<string, PainelFile>()
  const paths = new Set(listFiles(dir))
  const read = (path: string) => new Uint8Array(readFileSync(join(dir, path)))
  const endings = Object.entries(codings) as [Coding, string][]
  for (const path of paths) {
    if (endings.some(([, ending]) => path.endsWith(ending))) continue
    const type = types[extname(path).toLowerCase()] ?? 'application/octet-stream'
    const made = endings.filter(([, ending]) => paths.has(path + ending))
    const copies = Object.fromEntries(made.map(([coding, ending]) => [coding, read(path + ending)]))
    files.set(`/${path.replaceAll('\\', '/')}`, { bytes: read(path), type, hashed: path.startsWith('assets'), copies })
  }
  return files
}

/** Relative paths of the regular files below `dir`. */
function listFiles(dir: string): string[] {
  try {
    const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
    return entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name).slice(join(dir, '/').length))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
