/**
 * node keep-needed.ts FOLDER COMPONENT
 *
 * Removes from FOLDER/node_modules every package that COMPONENT (edge or central) does not need, directly or through
 * others. Also removes every file that a running program never loads. Prints the size before and after, and the
 * largest remaining packages.
 *
 * It imports no package of others, because it runs on the target machine during the installation.
 */
import { existsSync, globSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { components, isUnused, type LockPackages, nameAt, neededPackages } from './needed-packages.ts'

const [folder = '', component = ''] = process.argv.slice(2)
if (component !== 'edge' && component !== 'central') throw new Error(`unknown component: ${component}`)
const { packages }: { packages: LockPackages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
const target = process

const filesOf = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
const total = (files: readonly string[]) => files.reduce((sum, file) => sum + lstatSync(file).size, 0)
/** Leaves out the links to the workspaces, whose files are already counted in their own folders. */
const sizeOf = (path: string) => total(filesOf(path).filter((file) => !file.includes('node_modules/@vigia/')))
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

function removeEmptyFolders(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(path, entry.name))
  if (readdirSync(path).length === 0) rmdirSync(path)
}

const modules = join(folder, 'node_modules')
const before = sizeOf(folder)
const keep = neededPackages(packages, { ...components[component], target })
const sizes: { readonly bytes: number; readonly name: string }[] = []
for (const [path, { link }] of Object.entries(packages)) {
  const at = join(folder, path)
  if (!path.includes('node_modules') || link || !existsSync(at)) continue
  if (!keep.has(path)) {
    rmSync(at, { recursive: true })
    continue
  }
  const inside = (file: string) => file.slice(at.length + 1)
  const own = filesOf(at).filter((file) => !`/${inside(file)}`.includes('/node_modules/'))
  const name = nameAt(path)
  const gone = own.filter((file) => isUnused(name, inside(file), target))
  for (const file of gone) rmSync(file)
  sizes.push({ bytes: total(own.filter((file) => !gone.includes(file))), name })
}
// Links to commands of removed packages.
for (const link of globSync(join(modules, '.bin/*'))) if (!statSync(link, { throwIfNoEntry: false })) rmSync(link)
removeEmptyFolders(modules)

process.stdout.write(`${megabytes(before)} antes, ${megabytes(sizeOf(folder))} depois; os maiores:\n`)
for (const { bytes, name } of sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 8))
  process.stdout.write(`  ${megabytes(bytes)}  ${name}\n`)
