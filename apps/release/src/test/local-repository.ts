import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'
import { needs } from '../assemble.ts'
import { keptFile } from '../kept-packages.ts'
import type { Architecture } from '../manifest.ts'
import type { LockEntry } from '../needed-packages.ts'
import { dashboardTools } from '../source-tree.ts'

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

/** Packs a folder as npm does and keeps it. Returns its hash in the form of package-lock.json. */
function keepFolder(kept: string, folder: string): string {
  const archive = join(kept, '.pacote.tgz')
  const args = ['--exclude=./node_modules', '--transform=s,^\\.,package,', '-cf', archive, '-C', folder, '.']
  execFileSync('tar', ['--use-compress-program=gzip -1', ...args])
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  renameSync(archive, keptFile(kept, integrity))
  return integrity
}

/**
 * Makes a copy of this repository whose lock names the packages of this machine's `node_modules`, packed anew. It is
 * built without a registry. The npm client is not installed, so that a stand-in takes its place.
 */
export function createLocalRepository(root: string, kept: string, arquitetura: Architecture): void {
  mkdirSync(kept, { recursive: true })
  copyRepository(root)
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const paths = (['edge', 'central'] as const).flatMap((one) => needs(lock.packages, one, arquitetura).passedOn)
  for (const path of new Set([...paths, ...dashboardTools(lock.packages, process)])) {
    const entry = lock.packages[path]
    if (entry?.integrity) lock.packages[path] = { ...entry, integrity: keepFolder(kept, join(repositoryRoot, path)) }
  }
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock, null, 2))
  const npm = join(dirname(kept), 'npm')
  mkdirSync(join(npm, 'bin'), { recursive: true })
  writeFileSync(join(npm, 'bin/npm-cli.js'), '// stand-in\n')
  const hash = Buffer.from(keepFolder(kept, npm).slice('sha512-'.length), 'base64').toString('hex')
  const program = join(root, 'deploy/program.sh')
  writeFileSync(program, readFileSync(program, 'utf8').replace(/^NPM_SHA512=.*$/m, `NPM_SHA512=${hash}`))
  tagAll(root)
}
