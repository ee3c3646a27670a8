import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Package of the binary for this machine, and the name of the file. Source: node-av 6.1.1, `dist/lib/binding.js`. */
const NAME = `@seydx/node-av-${process.platform}-${process.arch}`
const FILE = 'node-av.node'
/** Folders of a binary that was built on this machine, below the folder of node-av. */
const OWN_BUILDS = ['build/Release', 'binary', '.']

/** Each file that node-av tries to load as its binary. */
function candidates(): string[] {
  const entry = createRequire(import.meta.url).resolve('node-av/lib')
  const packages = createRequire(entry).resolve.paths(NAME) ?? []
  return [
    ...OWN_BUILDS.map((folder) => join(entry, '../../..', folder, FILE)),
    ...packages.map((folder) => join(folder, NAME, FILE)),
  ]
}

let files: readonly string[] | null = null

/**
 * Whether the binary of node-av is installed. Without it, each module that imports node-av throws. A program that
 * decodes therefore starts only while this is true. It checks for the file and loads nothing, so that a package that
 * arrives later is seen at the next call.
 */
export function hasVideoPackage(): boolean {
  files ??= candidates()
  return files.some((file) => existsSync(file))
}
