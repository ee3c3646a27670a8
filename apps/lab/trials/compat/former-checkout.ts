import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { repositoryRoot } from '@vigia/testing/program'

const run = promisify(execFile)

/** The programs of another commit of this repository. */
export interface FormerCheckout {
  /** File URL of a program by its path below the repository root. */
  entry(path: string): string
  /** Whether its edge and its cloud know extras (docs/link.md). */
  readonly extras: boolean
  remove(): Promise<void>
}

/**
 * Checks `commit` out into a temporary folder. It uses the npm packages of this checkout and its own workspaces.
 * @throws Error when the commit does not exist
 */
export async function checkOutFormer(commit: string): Promise<FormerCheckout> {
  const dir = join(await mkdtemp(join(tmpdir(), 'vigia-former-')), 'checkout')
  const git = (...args: string[]) => run('git', args, { cwd: repositoryRoot })
  await git('worktree', 'add', '--detach', dir, commit)
  await linkPackages(join(repositoryRoot, 'node_modules'), join(dir, 'node_modules'))
  await mkdir(join(dir, 'node_modules/@vigia'))
  for (const group of ['packages', 'apps'])
    for (const name of await readdir(join(dir, group)))
      if (existsSync(join(dir, group, name, 'package.json')))
        await symlink(join('../..', group, name), join(dir, 'node_modules/@vigia', name))
  return {
    entry: (path) => pathToFileURL(join(dir, path)).href,
    extras: existsSync(join(dir, 'packages/contracts/src/extras.ts')),
    remove: async () => {
      await git('worktree', 'remove', '--force', dir)
      await rm(join(dir, '..'), { recursive: true, force: true })
    },
  }
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from)) {
    if (name === '@vigia' || name.startsWith('.')) continue
    await symlink(join(from, name), join(to, name))
  }
}
