import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'

const identity = ['-c', 'user.name=Vigia', '-c', 'user.email=vigia@localhost']

/** Commits everything in a folder as the tag of the version in package.json. */
export function tagAll(root: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const git = (...args: string[]) => void execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'pipe' })
  git('add', '--all')
  git('commit', '-q', '--allow-empty', '-m', version)
  git('tag', '--force', `v${version}`)
}

/** Copies what git would commit of this repository into a new one. */
export function copyRepository(root: string): void {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', listed, { cwd: repositoryRoot, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  for (const file of files.split('\0'))
    if (file !== '' && existsSync(join(repositoryRoot, file))) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      cpSync(join(repositoryRoot, file), join(root, file), { verbatimSymlinks: true })
    }
  execFileSync('git', ['init', '-q'], { cwd: root, stdio: 'pipe' })
}
