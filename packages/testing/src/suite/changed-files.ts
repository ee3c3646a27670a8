import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const git = async (root: string, ...args: string[]) => (await run('git', args, { cwd: root, encoding: 'utf8' })).stdout

/** The commit at which this branch left `origin/main`; HEAD if that branch does not exist. */
export async function defaultBase(root: string): Promise<string> {
  try {
    return (await git(root, 'merge-base', 'HEAD', 'origin/main')).trim()
  } catch {
    return 'HEAD'
  }
}

/**
 * Absolute paths of the files that differ from `base`, committed or not, and of untracked files.
 * @throws Error if `base` is no commit
 */
export async function changedSince(root: string, base: string): Promise<string[]> {
  const [changed, unknown] = await Promise.all([
    git(root, 'diff', '--name-only', '-z', '--diff-filter=d', base, '--'),
    git(root, 'ls-files', '-z', '--others', '--exclude-standard'),
  ])
  return [...new Set(`${changed}${unknown}`.split('\0'))]
    .filter((file) => file !== '')
    .map((file) => resolve(root, file))
}
