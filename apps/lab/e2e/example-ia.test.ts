import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { applyPatch, copyTree, linesOutside } from '@vigia/testing/example-tree'
import { repositoryRoot } from '@vigia/testing/program'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const IA = 'teste_contagem'
const PATCH = join(repositoryRoot, `packages/ias/examples/${IA}.patch`)
/**
 * The type check covers the programs that use the catalogue with all imports, and the package whose entries load by
 * path.
 */
const ON_NODE = ['packages/ias/src', 'apps/edge/src', 'apps/edge/trials', 'apps/cloud/src', 'apps/cloud/trials']
/** The check takes about 15 s on two idle cores, mostly for the cloud. */
const TEST_MS = 300_000

describe('the worked example of docs/adding-an-ia.md', () => {
  let copy = ''
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'vigia-example-'))
    copyTree(copy)
    applyPatch(copy, PATCH)
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  /** Type-checks programs without their tests, which name single IAs. `settings` is written into `folder`. */
  const typecheck = async (folder: string, settings: { readonly extends: string; readonly include?: string[] }) => {
    const file = join(copy, folder, 'tsconfig.programs.json')
    const compilerOptions = { noEmit: true }
    writeFileSync(file, JSON.stringify({ ...settings, compilerOptions, exclude: ['**/*.test.*'] }))
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', file], { cwd: copy })
  }

  it('needs one folder and at most two lines outside of it', () => {
    const outside = linesOutside(PATCH, [`packages/ias/src/${IA}/`])
    expect(outside.length).toBeGreaterThan(0)
    expect(outside.length).toBeLessThanOrEqual(2)
  })

  it(
    'type-checks, and raises a verified event on the API of a real installation',
    async () => {
      const tsc = async () => {
        // One program on Node: the packages that these workspaces share are checked once.
        await typecheck('.', { extends: './packages/toolchain/tsconfig.base.json', include: ON_NODE })
        await typecheck('apps/dashboard', { extends: './tsconfig.json' })
      }
      const limits = JSON.stringify({ max_pessoas: 1, permanencia_s: 1 })
      const clip = run(process.execPath, ['apps/lab/e2e/play-clip.ts', IA, limits], { cwd: copy })
      const [{ stdout }] = await Promise.all([clip, tsc()])
      const evento = JSON.parse(stdout)
      expect(evento).toMatchObject({ tipo: IA, gravidade: 'media', veredito: { decisao: 'confirmado' } })
      expect(evento.detalhes.pessoas).toBeGreaterThan(1)
      expect(evento.caixas).toHaveLength(evento.detalhes.pessoas)
    },
    TEST_MS,
  )
})
