import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { applyPatch, copyTree, linesOutside } from '@vigia/testing/example-tree'
import { repositoryRoot } from '@vigia/testing/program'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const PATCH = join(repositoryRoot, 'apps/cloud/examples/rondas.patch')
/** Its folder, its schemas, and its migration. */
const OWN = [
  'apps/cloud/src/domains/locais/rondas/',
  'packages/contracts/src/rondas.ts',
  'apps/cloud/src/db/migrations/',
]
/** The tests of the noun itself, and those of central lists that would miss it. */
const TESTS = [
  'locais/rondas',
  'interface-tests/effects-walk',
  'interface-tests/audit-walk',
  'interface-tests/table-limits',
]
/** Type check and tests take about 30 s on two idle cores. */
const TEST_MS = 600_000

describe('the worked example of a noun (CONTRIBUTING.md)', () => {
  let copy = ''
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'vigia-noun-'))
    copyTree(copy)
    applyPatch(copy, PATCH)
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('needs its folder, its schemas, its migration, and at most two lines elsewhere', () => {
    const outside = linesOutside(PATCH, OWN)
    expect(outside.length).toBeGreaterThan(0)
    expect(outside.length).toBeLessThanOrEqual(2)
  })

  it(
    'type-checks, and passes its tests and the walks over all routes',
    async () => {
      const settings = {
        extends: './packages/toolchain/tsconfig.base.json',
        include: ['apps/cloud/src'],
        exclude: ['**/*.test.ts'],
      }
      writeFileSync(join(copy, 'tsconfig.programs.json'), JSON.stringify(settings))
      const node = (...args: string[]) => run(process.execPath, args, { cwd: copy, env: environment })
      await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.programs.json')
      const vitest = ['node_modules/.bin/vitest', 'run', '--config', 'packages/testing/vitest.config.ts']
      await node(...vitest, '--project', 'app', ...TESTS)
    },
    TEST_MS,
  )
})

/** Without the variables by which the outer run of vitest marks its processes. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
