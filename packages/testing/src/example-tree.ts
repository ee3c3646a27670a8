import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from './program.ts'

/** Copies the tracked files, with the installed packages of this checkout and the copy's own workspaces. */
export function copyTree(copy: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  for (const file of listed.split('\0')) {
    if (file === '' || !existsSync(join(repositoryRoot, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(repositoryRoot, file), join(copy, file))
  }
  const installed = join(repositoryRoot, 'node_modules')
  mkdirSync(join(copy, 'node_modules/@vigia'), { recursive: true })
  for (const name of readdirSync(installed))
    if (name !== '@vigia' && name !== '.cache') symlinkSync(join(installed, name), join(copy, 'node_modules', name))
  for (const group of ['apps', 'packages'])
    for (const name of readdirSync(join(copy, group)))
      symlinkSync(join('../..', group, name), join(copy, 'node_modules/@vigia', name))
}

/** Applies a patch of the repository to a copy of it. */
export function applyPatch(copy: string, patch: string): void {
  execFileSync('git', ['apply', patch], {
    cwd: copy,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) },
  })
}

/** Lines that a patch adds or removes outside of these paths. */
export function linesOutside(patch: string, paths: readonly string[]): string[] {
  let file = ''
  const outside: string[] = []
  for (const line of readFileSync(patch, 'utf8').split('\n')) {
    if (line.startsWith('+++ b/')) file = line.slice('+++ b/'.length)
    else if (/^[+-](?!--|\+\+)/.test(line) && !paths.some((path) => file.startsWith(path))) outside.push(line)
  }
  return outside
}
