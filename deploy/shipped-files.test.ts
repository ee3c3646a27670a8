import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { repositoryRoot as root } from '@vigia/testing/program'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'vigia-shipped-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The apps that each install script copies, with the packages that they need. */
const installers = [
  { name: 'the edge', apps: ['apps/edge'] },
  { name: 'the server', apps: ['apps/broker', 'apps/cloud'] },
  { name: 'the dashboard, which the server builds', apps: ['apps/dashboard'] },
] as const

/** Started by units, by people and by the page of the dashboard; its build has a file of its own. */
const started = [
  'apps/edge/src/main.ts',
  'apps/broker/src/main.ts',
  'apps/cloud/src/main.ts',
  'apps/cloud/src/prepare.ts',
  'apps/cloud/src/vigia/main.ts',
  'apps/dashboard/src/main.ts',
  'apps/dashboard/vite.config.ts',
]

/** Copies like the install scripts, by their own code. */
function copy(apps: readonly string[]): string {
  const to = mkdtempSync(join(folder, 'installed-'))
  const parts = `$(parts_of ${apps.join(' ')})`
  const script = `set -eu; origin=.; dest=; work=${folder}; . deploy/program.sh; copy_parts ${to} ${parts}`
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return to
}

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*(['"`])([^'"`]+)\1/g

/** The file of an import within the repository; null: a package of others. */
function targetOf(file: string, specifier: string): string | null {
  const [, workspace, path] = /^@vigia\/([a-z-]+)\/(.+)$/.exec(specifier) ?? []
  if (workspace !== undefined) return `packages/${workspace}/src/${path}.ts`
  if (!specifier.startsWith('.') && !/^[\w-]+\.ts$/.test(specifier)) return null
  return normalize(join(dirname(file), specifier))
}

/** Every file that the started ones reach by imports, by folders that they read, and by their child processes. */
function reach(): Set<string> {
  const reached = new Set<string>(started)
  for (const file of reached) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, , specifier = ''] of source.matchAll(SPECIFIER)) {
      const target = targetOf(file, specifier)
      const read = target?.endsWith('/') ? `${target}[0-9]*.ts` : target
      if (read === null || read === undefined || !/\.(ts|tsx)$/.test(read)) continue
      for (const one of globSync(read.replaceAll(/\$\{[^}]*\}/g, '*'), { cwd: root })) reached.add(one)
    }
  }
  return reached
}

describe.skipIf(process.platform !== 'linux')('the installed files (needs Linux)', () => {
  const reached = reach()
  it.each(installers)('of $name are used by an installed program', ({ apps }) => {
    const copied = copy(apps)
    const sources = globSync('{apps,packages}/*/**/*.{ts,tsx}', { cwd: copied })
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.filter((file) => !reached.has(file) && !file.endsWith('.d.ts')).sort()).toEqual([])
  })
})
