import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

/** Sources of the installed programs, without tests. */
const sources = ['apps/broker', 'apps/cloud', 'apps/edge', ...packages()].flatMap((workspace) =>
  readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test|\.d)\.ts$/.test(name) && !/(^|\/)(test|testing|test-peer|e2e)\//.test(name))
    .map((name) => join(workspace, 'src', name)),
)
const textOf = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

function packages(): string[] {
  const installed = readdirSync(join(root, 'packages')).filter((name) => name !== 'testing' && name !== 'toolchain')
  return installed.map((name) => `packages/${name}`).filter((name) => readdirSync(join(root, name)).includes('src'))
}

/** Programs and workers: each `main.ts`, and each file that another one starts. */
function programs(): string[] {
  const started = [...textOf].flatMap(([file, text]) =>
    [...text.matchAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g)].map(([, path = '']) => join(file, '..', path)),
  )
  const mains = sources.filter((file) => file.endsWith('/main.ts') && file.startsWith('apps/'))
  return [...new Set([...mains, ...started])].filter((file) => textOf.has(file)).sort()
}

/** Modules that a file loads. */
const loadedBy = (file: string): string[] => {
  const text = textOf.get(file) ?? ''
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s(?!type\s)[^'"]*?from '([^']+)'/gm),
    ...text.matchAll(/^import '([^']+)'/gm),
    ...text.matchAll(/\bimport\('([^']+)'\)/g),
  ].map(([, specifier = '']) => specifier)
  return specifiers.map((specifier) => {
    if (specifier.startsWith('.')) return join(file, '..', specifier)
    const [, name, path] = /^@vigia\/([^/]+)\/(.+)$/.exec(specifier) ?? []
    return name === undefined ? specifier : `packages/${name}/src/${path}.ts`
  })
}

function loadsVideo(program: string): boolean {
  const seen = new Set([program])
  for (const file of seen) for (const next of loadedBy(file)) seen.add(next)
  return [...seen].some((file) => file.startsWith('node-av'))
}

it('loads node-av only in programs that are not started without its binary', () => {
  expect(programs()).toEqual(
    expect.arrayContaining([
      'apps/cloud/src/main.ts',
      'apps/cloud/src/vigia/main.ts',
      'apps/cloud/src/adapters/verifier/local-process.ts',
      'apps/edge/src/main.ts',
    ]),
  )
  expect(programs().filter(loadsVideo)).toEqual([
    'apps/cloud/src/adapters/clip-copier/main.ts',
    'apps/edge/src/capture/main.ts',
    'apps/edge/src/recordings/cover/main.ts',
    'apps/edge/src/stills/main.ts',
  ])
})
