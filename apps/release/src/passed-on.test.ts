import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'
import { describe, expect, it } from 'vitest'
import { needs } from './assemble.ts'
import { architectures } from './manifest.ts'
import { type LockPackages, nameAt, neededPackages } from './needed-packages.ts'

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')
const { packages }: { packages: LockPackages } = JSON.parse(read('package-lock.json'))

/** Packages of the lock that go into an archive of a component, or are bundled in its dashboard. */
function passedOn(component: 'edge' | 'central'): string[] {
  const paths = architectures.flatMap((one) => needs(packages, component, one).passedOn)
  const dashboard = neededPackages(packages, { apps: ['apps/dashboard'], target: { platform: 'linux', arch: 'x64' } })
  const bundled = component === 'central' ? [...dashboard].filter((path) => packages[path]?.integrity) : []
  return [...new Set([...paths, ...bundled])]
}

describe.each(['edge', 'central'] as const)('the packages that an archive of %s passes on', (component) => {
  const paths = passedOn(component)

  it('have a row for their licence in docs/licences.md', () => {
    const [, section = ''] = read('docs/licences.md').split('## Passing on a release\n')
    const rows = [...section.matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].flatMap(([, cell = '']) =>
      cell.split(', '),
    )
    // A licence with OR leaves the choice.
    const named = (licence: string) =>
      licence
        .replace(/[()]/g, '')
        .split(' OR ')
        .some((one) => rows.includes(one))
    const without = paths.filter((path) => !named(packages[path]?.license ?? ''))
    expect(without.map((path) => `${nameAt(path)}: ${packages[path]?.license}`)).toEqual([])
  })

  it('do not include the binary of node-av, and are all of Linux with glibc', () => {
    expect(paths.map(nameAt)).toContain('node-av')
    expect(paths.map(nameAt).filter((name) => /^@seydx\/|darwin|win32|musl|freebsd|android|wasm/.test(name))).toEqual(
      [],
    )
  })

  it('are fetched by each machine only where their licence forbids to pass them on', () => {
    for (const one of architectures)
      expect(needs(packages, component, one).fetched.map(nameAt)).toEqual([
        `@seydx/node-av-linux-${one === 'amd64' ? 'x64' : 'arm64'}`,
      ])
  })
})
