import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { featureImports, hiddenImports, pairsOf, ringsOf } from './feature-folders.ts'

const edge = fileURLToPath(new URL('../../../apps/edge/src', import.meta.url))
const cloud = fileURLToPath(new URL('../../../apps/cloud/src/', import.meta.url))

/** A commit that adds a pair raises this number and states the reason in its message. */
const PAIRS_MAX = 15

const sourcesOf = (dir: string) =>
  new Map(
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => [file, readFileSync(`${dir}/${file}`, 'utf8')]),
  )

describe('the domains of the cloud', () => {
  const sources = sourcesOf(`${cloud}domains`)
  const imports = featureImports(sources)

  it('form no ring of imports', () => {
    expect(imports.length).toBeGreaterThan(0)
    expect(ringsOf(imports)).toEqual([])
  })
  it(`form at most ${PAIRS_MAX} pairs`, () => {
    expect(pairsOf(imports).length).toBeLessThanOrEqual(PAIRS_MAX)
  })
  it('import only the public module of another domain', () => {
    expect(hiddenImports(sources)).toEqual([])
  })
  it.each(readdirSync(`${cloud}domains`))('have no ring of features: %s', (domain) => {
    expect(ringsOf(featureImports(sourcesOf(`${cloud}domains/${domain}`)))).toEqual([])
  })
  it.each(['adapters', 'audit', 'db', 'http', 'scope'])('are not imported by %s/', (folder) => {
    const reaching = [...sourcesOf(`${cloud}${folder}`)].filter(([, source]) => /['"][./]+\/domains\//.test(source))
    expect(reaching.map(([file]) => file)).toEqual([])
  })
})

describe('a noun.ts', () => {
  const nouns = [...sourcesOf(`${cloud}domains`)].filter(([file]) => file.endsWith('/noun.ts'))

  it('imports no other code of a domain, so that db/ and http/ can read it', () => {
    expect(nouns.length).toBeGreaterThan(30)
    const modules = nouns.flatMap(([, source]) => [...source.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from))
    const allowed =
      /^(@vigia\/|kysely$|(\.\.\/)+(nouns\/define-noun|db\/(about-camera|data-register\/entry|verdict-class))\.ts$)/
    expect(modules.filter((from) => !allowed.test(from))).toEqual([])
  })
})

describe('the parts of the edge', () => {
  it('form no ring of imports', () => {
    const parts = [...sourcesOf(edge)].filter(([file]) => file.includes('/') && !file.includes('testing/'))
    const imports = featureImports(new Map(parts))
    expect(imports.length).toBeGreaterThan(0)
    expect(ringsOf(imports)).toEqual([])
  })
})

describe('imports between features', () => {
  const sources = (files: Record<string, string>) => new Map(Object.entries(files))

  it('are found in every syntactic form and in sub-folders, and counted once per pair', () => {
    const found = featureImports(
      sources({
        'a/x.ts': "import { y } from '../b/y.ts'\nimport type { Z } from '../b/z.ts'\nimport { own } from './own.ts'",
        'a/sub/x.ts':
          "export * from '../../c/y.ts'\nimport { own } from '../own.ts'\nimport { db } from '../../../db/open.ts'",
        'b/y.ts': "export const d = () => import('../d/y.ts')",
      }),
    )
    expect(pairsOf(found)).toEqual(['a -> b', 'a -> c', 'b -> d'])
    expect(ringsOf(found)).toEqual([])
  })
  it('past the public module are named', () => {
    const found = hiddenImports(
      sources({
        'a/x/y.ts': "import { z } from '../../b/z.ts'\nimport { open } from '../../b/public.ts'",
        'a/x.ts': "import { own } from './x/own.ts'\nimport { db } from '../../db/open.ts'",
      }),
    )
    expect(found).toEqual(['a/x/y.ts: ../../b/z.ts'])
  })
  it('that form a ring of any length are named', () => {
    const mutual = sources({ 'a/x.ts': "import '../b/x.ts'", 'b/x.ts': "import '../a/x.ts'" })
    expect(ringsOf(featureImports(mutual))).toEqual(['a', 'b'])
    const longer = sources({
      'a/x.ts': "import '../b/x.ts'",
      'b/x.ts': "import '../c/x.ts'",
      'c/x.ts': "import '../a/x.ts'",
      'd/x.ts': "import '../a/x.ts'",
    })
    expect(ringsOf(featureImports(longer))).toEqual(['a', 'b', 'c'])
  })
})
