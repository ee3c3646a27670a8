import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
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
    execFileSync('git', ['apply', PATCH], {
      cwd: copy,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) },
    })
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
    let file = ''
    const outside: string[] = []
    for (const line of readFileSync(PATCH, 'utf8').split('\n')) {
      if (line.startsWith('+++ b/')) file = line.slice('+++ b/'.length)
      else if (/^[+-](?!--|\+\+)/.test(line) && !file.startsWith(`packages/ias/src/${IA}/`)) outside.push(line)
    }
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

/** Copies the tracked files, with the installed packages of this checkout and the copy's own workspaces. */
function copyTree(copy: string) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  for (const file of listed.split('\0')) {
    if (file === '' || !existsSync(join(repositoryRoot, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(repositoryRoot, file), join(copy, file))
  }
  const installed = join(repositoryRoot, 'node_modules')
  mkdirSync(join(copy, 'node_modules/@vigia'), { recursive: true })
  for (const name of readdirSync(installed))
    if (name !== '@vigia' && name !== '.cache') symlinkSync(join(installed, name), join(copy, 'node_modules', name))
  for (const group of ['apps', 'packages'])
    for (const name of readdirSync(join(copy, group)))
      symlinkSync(join('../..', group, name), join(copy, 'node_modules/@vigia', name))
}
