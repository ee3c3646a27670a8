import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { copyTree } from './example-tree.ts'
import { repositoryRoot } from './program.ts'

/** A copy of this checkout in which the package with the binary of node-av is not installed. */
export interface TreeWithoutVideo {
  /** URL of a program, for `startProgram`. @param path below the root */
  entry(path: string): string
  /** Installs the package. */
  install(): void
}

const BINARIES = 'node_modules/@seydx'

/** @param copy folder that does not exist yet */
export function treeWithoutVideo(copy: string): TreeWithoutVideo {
  copyTree(copy)
  // A link would lead node-av back to the binary of this checkout.
  for (const name of ['node_modules/node-av', BINARIES]) rmSync(join(copy, name))
  cpSync(join(repositoryRoot, 'node_modules/node-av'), join(copy, 'node_modules/node-av'), { recursive: true })
  mkdirSync(join(copy, BINARIES))
  return {
    entry: (path) => pathToFileURL(join(copy, path)).href,
    install() {
      rmSync(join(copy, BINARIES), { recursive: true })
      symlinkSync(join(repositoryRoot, BINARIES), join(copy, BINARIES))
    },
  }
}
