import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const PLUGINS = ['packages/toolchain/foreign-store.grit', 'packages/toolchain/spread-literal.grit']

const manifests = globSync('{apps,packages}/*/package.json', { cwd: root })

/** Each layer rule with an import that violates it. */
const violations = [
  ['packages/ias/src/a.ts', '@vigia/contracts/agenda'],
  ['packages/ias/src/a.ts', '@vigia/link/topics'],
  ['packages/contracts/src/a.ts', '@vigia/runtime/log-destination'],
  ['packages/runtime/src/a.ts', '@vigia/link/topics'],
  ['packages/rtsp/src/a.ts', '@vigia/video/stream-reader'],
  ['packages/video/src/a.ts', '@vigia/vision/detector'],
  ['packages/video/src/a.ts', 'onnxruntime-node'],
  ['packages/vision/src/a.ts', 'node-av/api'],
  ['packages/ias/src/a.ts', 'kysely'],
  ['packages/analysis/src/a.ts', 'onnxruntime-node'],
  ['packages/vision/src/a.ts', '@vigia/analysis/inference'],
  ['packages/link/src/a.ts', '../../../apps/broker/src/app.ts'],
  ['packages/analysis/src/a.ts', 'node-av'],
  ['apps/edge/src/outbox/send.ts', 'better-sqlite3'],
  ['apps/edge/src/link/a.ts', 'mqtt'],
  ['apps/cloud/src/domains/locais/cameras/create-camera.ts', 'kysely'],
  ['apps/cloud/src/domains/locais/cameras/create-camera.ts', 'hono'],
  ['apps/cloud/src/domains/locais/cameras/a.ts', 'mqtt'],
  ['apps/cloud/src/a.ts', '../../edge/src/app.ts'],
  ['apps/broker/src/a.ts', 'hono'],
  ['apps/cloud/trials/a/a.ts', '../../../edge/src/app.ts'],
  ['apps/lab/trials/a/a.ts', '../../../cloud/src/app.ts'],
] as const

/** The same imports where they are allowed. */
const allowed = [
  ['packages/link/src/a.ts', '@vigia/runtime/log-destination'],
  ['packages/video/src/a.ts', 'node-av/api'],
  ['packages/vision/src/a.ts', 'onnxruntime-node'],
  ['apps/model-tools/src/a.test.ts', 'onnxruntime-node'],
  ['packages/link/src/a.ts', 'mqtt'],
  ['apps/broker/src/a.ts', 'aedes'],
  ['apps/edge/src/outbox/store.ts', 'better-sqlite3'],
  ['apps/cloud/src/domains/locais/cameras/store.ts', 'kysely'],
  ['apps/cloud/src/domains/locais/cameras/routes.ts', 'hono'],
  ['apps/cloud/src/db/open.ts', 'better-sqlite3'],
  ['apps/cloud/trials/a/a.ts', '../../src/db/open.ts'],
  ['apps/lab/trials/a/a.ts', '../../src/machine.ts'],
] as const

/** Libraries that only these workspaces declare. */
const owners: Readonly<Record<string, readonly string[]>> = {
  'node-av': ['packages/video'],
  'onnxruntime-node': ['packages/vision', 'apps/model-tools'],
  mqtt: ['packages/link', 'apps/broker'],
  aedes: ['apps/broker'],
  kysely: ['apps/cloud'],
  'better-sqlite3': ['apps/cloud', 'apps/edge', 'apps/lab'],
  hono: ['apps/cloud'],
}

/** A workspace imports only what its package.json declares (noUndeclaredDependencies, knip). */
describe('the declared dependencies', () => {
  const declared = (workspace: string): string[] => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
    return Object.keys({ ...dependencies, ...devDependencies })
  }
  const table = readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(/^\| `(packages\/[a-z-]+)` \|/gm)
  const packages = [...table].map(([, name = '']) => name)

  it.each(manifests.map(dirname))(
    'of %s are packages only, and those of a package stand above it in docs/architecture.md',
    (workspace) => {
      const above = workspace.startsWith('apps/') ? packages : packages.slice(0, packages.indexOf(workspace))
      const own = declared(workspace).filter((name) => name.startsWith('@vigia/'))
      expect(own.filter((name) => !above.includes(name.replace('@vigia', 'packages')))).toEqual([])
    },
  )

  it.each(Object.entries(owners))('include %s only in %j', (library, workspaces) => {
    const declaring = manifests.map(dirname).filter((one) => declared(one).includes(library))
    expect(declaring.sort()).toEqual([...workspaces].sort())
  })

  it('are compared with a table of all packages', () => {
    expect(packages.toSorted()).toEqual(globSync('packages/*/package.json', { cwd: root }).map(dirname).sort())
  })
})

describe('the layer rules of Biome', () => {
  let tree = ''
  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), 'vigia-layers-'))
    spawnSync('git', ['init', '-q', tree])
    cpSync(join(root, '.biome.jsonc'), join(tree, '.biome.jsonc'))
    for (const file of [...PLUGINS, ...manifests]) cpSync(join(root, file), join(tree, file))
  })
  afterAll(() => rmSync(tree, { recursive: true, force: true }))

  const lint = (file: string, specifier: string) => {
    const path = join(tree, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `import '${specifier}'\n`)
    const run = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', file], { cwd: tree, encoding: 'utf8' })
    rmSync(path)
    const restricted = /noRestrictedImports|noUndeclaredDependencies/.test(`${run.stdout}${run.stderr}`)
    return { status: run.status, restricted }
  }

  it.each(violations)('forbid the import in %s of %s', (file, specifier) => {
    expect(lint(file, specifier)).toEqual({ status: 1, restricted: true })
  })
  it.each(allowed)('allow the import in %s of %s', (file, specifier) => {
    expect(lint(file, specifier)).toEqual({ status: 0, restricted: false })
  })

  const lintSource = (file: string, source: string, plugin: string) => {
    const path = join(tree, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${source}\n`)
    const args = ['lint', '--only=plugin', file]
    const run = spawnSync(join(root, 'node_modules/.bin/biome'), args, { cwd: tree, encoding: 'utf8' })
    rmSync(path)
    return { status: run.status, refused: `${run.stdout}${run.stderr}`.includes(plugin) }
  }

  describe("a feature's store", () => {
    const file = 'apps/cloud/src/domains/locais/cameras/change-camera.ts'

    it.each([
      "import { findEdge } from '../edges/store.ts'",
      "import type { IssuedCertificate } from '../edges/certificates-store.ts'",
      "import '../../locais/edges/store.ts'",
      "export { findEdge } from '../edges/store.ts'",
      "export * from '../edges/store.ts'",
      "export const edges = () => import('../edges/store.ts')",
      "export type Edges = typeof import('../edges/store.ts')",
      "import { insertRecord } from '../../audit/store.ts'",
    ])('cannot be imported from another folder: %s', (source) => {
      expect(lintSource(file, source, 'foreignStore')).toEqual({ status: 1, refused: true })
    })
    it.each([
      [file, "import { insertCamera } from './store.ts'"],
      ['apps/cloud/src/domains/locais/edges/certificates-store.ts', "import { findEdge } from './store.ts'"],
      ['apps/cloud/src/domains/locais/edges/ask/ask-edge.ts', "import { findEdge } from '../store.ts'"],
      ['apps/cloud/src/app.ts', "import { media } from './adapters/media-store/file-media-store.ts'"],
      ['apps/cloud/src/domains/locais/cameras/a.test.ts', "import { findEdge } from '../edges/store.ts'"],
    ])('can be imported by %s: %s', (path, source) => {
      expect(lintSource(path, source, 'foreignStore')).toEqual({ status: 0, refused: false })
    })
  })

  describe('the spread of a literal', () => {
    const spread = 'export const a = { ...{ b: 1, c: 2 } }'

    it.each([
      ['packages/ias/src/a.ts', spread],
      ['apps/cloud/src/a.ts', spread],
      ['apps/dashboard/src/a.tsx', 'export const a = [...[1, 2], 3]'],
      ['packages/ias/src/a.test.ts', spread],
      ['apps/cloud/src/test/a.ts', spread],
      ['apps/lab/src/a.ts', spread],
    ])('is refused in %s: %s', (path, source) => {
      expect(lintSource(path, source, 'spreadLiteral')).toEqual({ status: 1, refused: true })
    })
    it.each([
      ['packages/ias/src/a.ts', 'export const a = (b: boolean) => ({ ...(b ? { c: 1 } : {}), ...(b && { d: 1 }) })'],
    ])('is accepted in %s: %s', (path, source) => {
      expect(lintSource(path, source, 'spreadLiteral')).toEqual({ status: 0, refused: false })
    })
  })

  it('refuse a circular import', () => {
    const a = join(tree, 'packages/ias/src/a.ts')
    mkdirSync(dirname(a), { recursive: true })
    writeFileSync(a, "import { b } from './b.ts'\n\nexport const a = () => b\n")
    writeFileSync(join(dirname(a), 'b.ts'), "import { a } from './a.ts'\n\nexport const b = () => a\n")
    const run = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', 'packages'], { cwd: tree, encoding: 'utf8' })
    expect(run.status).toBe(1)
    expect(`${run.stdout}${run.stderr}`).toContain('noImportCycles')
  })
})
