import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  copiedRules,
  fileImports,
  folderPairs,
  foreignStyles,
  LAYERS,
  mutualPairs,
  siblingPages,
  upwardImports,
} from './dashboard-layers.ts'
import { ringsOf } from './feature-folders.ts'

const src = fileURLToPath(new URL('../../../apps/dashboard/src/', import.meta.url))

/** A commit that adds a pair of folders or a copied rule raises its number and states the reason in its message. */
const PAIRS_MAX = 269
const COPIED_RULES_MAX = 44

const sources = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.') && !file.startsWith('test/'))
    .toSorted()
    .map((file) => [file, readFileSync(`${src}${file}`, 'utf8')]),
)

describe('the folders of the dashboard', () => {
  const imports = fileImports(sources)

  it('are the layers', () => {
    const folders = [...sources.keys()].filter((file) => file.includes('/')).map((file) => file.split('/')[0])
    expect([...new Set(folders)].toSorted()).toEqual([...LAYERS].toSorted())
  })
  it('import no layer above them', () => {
    expect(imports.length).toBeGreaterThan(1_000)
    expect(upwardImports(imports)).toEqual([])
  })
  it('of a page import no other page', () => {
    expect(siblingPages(imports)).toEqual([])
  })
  it('import no stylesheet of another folder', () => {
    expect(foreignStyles(imports)).toEqual([])
  })
  it('form no ring of imports, and no two import each other', () => {
    const pairs = folderPairs(imports).map((pair) => {
      const [from = '', to = ''] = pair.split(' -> ')
      return { from, to, file: '' }
    })
    expect(mutualPairs(imports)).toEqual([])
    expect(ringsOf(pairs)).toEqual([])
  })
  it(`form at most ${PAIRS_MAX} pairs`, () => {
    expect(folderPairs(imports).length).toBeLessThanOrEqual(PAIRS_MAX)
  })
})

describe('the stylesheets of the dashboard', () => {
  it(`have at most ${COPIED_RULES_MAX} rules whose declarations stand in another rule`, () => {
    expect(copiedRules(sources).length).toBeLessThanOrEqual(COPIED_RULES_MAX)
  })
})

describe('the comparison of imports and rules', () => {
  const of = (files: Record<string, string>) => fileImports(new Map(Object.entries(files)))

  it('finds an import of a layer above, also a lazy one and one of the root', () => {
    const found = of({
      'ui/a.tsx': "import { x } from '../api/b.ts'\nconst y = () => import('../pages/p/q.tsx')",
      'pages/p/q.tsx': "import { x } from '../../ui/a.tsx'\nimport { s } from '../../start.ts'",
      'main.ts': "import './app/start.tsx'",
    })
    expect(upwardImports(found)).toEqual([
      'ui/a.tsx -> api/b.ts',
      'ui/a.tsx -> pages/p/q.tsx',
      'pages/p/q.tsx -> start.ts',
    ])
  })
  it('finds an import of another page and of its stylesheet', () => {
    const found = of({
      'pages/a/x/p.tsx':
        "import c from '../y/y.module.css'\nimport { q } from '../y/q.tsx'\nimport d from './x.module.css'",
    })
    expect(siblingPages(found)).toEqual([
      'pages/a/x/p.tsx -> pages/a/y/y.module.css',
      'pages/a/x/p.tsx -> pages/a/y/q.tsx',
    ])
    expect(foreignStyles(found)).toEqual(['pages/a/x/p.tsx -> pages/a/y/y.module.css'])
  })
  it('finds two folders that import each other', () => {
    const found = of({ 'domains/a/x.ts': "import '../b/x.ts'", 'domains/b/x.ts': "import '../a/x.ts'" })
    expect(folderPairs(found)).toEqual(['domains/a -> domains/b', 'domains/b -> domains/a'])
    expect(mutualPairs(found)).toEqual(['domains/a -> domains/b'])
  })
  it('finds a copied rule in any order of its declarations, but not under another condition', () => {
    const rules = new Map([
      ['a.module.css', '.a { color: red;\n  gap: 1px; }\n.one { color: red; }'],
      [
        'b.module.css',
        '.b { gap: 1px; color: red; }\n.two { color: red; }\n@media print { .c { color: red; gap: 1px; } }',
      ],
    ])
    expect(copiedRules(rules)).toEqual(['b.module.css .b = a.module.css .a'])
  })
})
