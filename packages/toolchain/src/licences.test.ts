import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

interface Manifest {
  license?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const read = (path: string): Manifest => JSON.parse(readFileSync(`${root}${path}`, 'utf8'))

/** Version and licence of each package that a workspace declares directly. */
function installed(): Map<string, { version: string; licence: string | null }> {
  const found = new Map<string, { version: string; licence: string | null }>()
  for (const path of ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: root })]) {
    const { dependencies, devDependencies, optionalDependencies } = read(path)
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      if (name.startsWith('@vigia/')) continue
      // The Node binary of the other processor is not installed on this machine.
      const manifest = `node_modules/${name}/package.json`
      found.set(name, { version, licence: existsSync(`${root}${manifest}`) ? (read(manifest).license ?? '') : null })
    }
  }
  return found
}

describe('docs/licences.md', () => {
  const table = new Map(
    [...readFileSync(`${root}docs/licences.md`, 'utf8').matchAll(/^\| (\S+) \| (\d\S*) \| ([^|]+) \| \w+ \|$/gm)].map(
      ([, name, version, licence]) => [name ?? '', { version, licence }],
    ),
  )

  it('names exactly the declared packages', () => {
    expect([...table.keys()].sort()).toEqual([...installed().keys()].sort())
  })
  it.each([...installed()])('has the version and the licence of %s', (name, { version, licence }) => {
    expect(table.get(name)?.version).toBe(version)
    if (licence !== null) expect(table.get(name)?.licence).toBe(licence)
  })
  it('has only pinned versions', () => {
    for (const [name, { version }] of installed()) expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/)
  })
})
