import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = globSync(
  ['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'firmware-images/*.md', '{apps,packages}/*/*.md'],
  { cwd: root },
).sort()

describe('README.md and its Portuguese twin', () => {
  /** Returns the commands of the shell blocks without their comments, which are translated. */
  const commands = (file: string) =>
    [...read(file).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) =>
      (block ?? '').split('\n').map((line) => line.replace(/\s+# .*$/, '').trimEnd()),
    )
  const headings = (file: string) => [...read(file).matchAll(/^(#+) /gm)].map(([, level]) => level)
  const firstCells = (file: string) => [...read(file).matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell)

  it('have the same commands', () => {
    expect(commands('README.md').flat().length).toBeGreaterThan(20)
    expect(commands('README.pt.md')).toEqual(commands('README.md'))
  })
  it('have the same sections and the same rows', () => {
    expect(headings('README.pt.md')).toEqual(headings('README.md'))
    expect(firstCells('README.pt.md')).toEqual(firstCells('README.md'))
  })
})

describe('documents', () => {
  it.each(documents)('%s links to files that exist', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map(([, link]) => link ?? '')
    expect(links.filter((link) => !existsSync(join(root, dirname(file), link)))).toEqual([])
  })
  it.each(documents)('%s names scripts that exist', (file) => {
    const scriptsOf = (folder: string): string[] => Object.keys(JSON.parse(read(join(folder, 'package.json'))).scripts)
    const command = /\bnpm run (?:--silent )?([a-z][a-z:-]*)(?: --workspace @vigia\/([a-z-]+))?/g
    const unknown = [...read(file).matchAll(command)].filter(([, script = '', workspace]) => {
      const [folder = '.'] = workspace ? globSync(`{apps,packages}/${workspace}`, { cwd: root }) : ['.']
      return !scriptsOf(folder).includes(script)
    })
    expect(unknown.map(([whole]) => whole)).toEqual([])
  })
  it.each(documents)('%s names trials that exist', (file) => {
    const trials = globSync('apps/*/trials/*/trial.ts', { cwd: root }).map((path) => path.split('/')[3])
    const named = [...read(file).matchAll(/\bnpm run lab --\s+([a-z][a-z-]*)/g)].map(([, name]) => name)
    expect(named.filter((name) => !trials.includes(name))).toEqual([])
  })
  it('name the file of each decision, whose path contains a noun of the question', () => {
    const rows = [...read('docs/architecture.md').matchAll(/^\| ([^|]+\?) \| `([^`]+)` \|$/gm)]
    expect(rows.length).toBeGreaterThanOrEqual(10)
    const wrong = rows.filter(([, question = '', file = '']) => {
      const words = question.toLowerCase().match(/[a-z]{4,}/g) ?? []
      // Without the ending, so that `passwords` finds `check-password.ts`.
      return !existsSync(join(root, file)) || !words.some((word) => file.includes(word.replace(/s$/, '')))
    })
    expect(wrong.map(([row]) => row)).toEqual([])
  })
  it.each(['README.md', 'README.pt.md', 'docs/architecture.md'])('%s names every workspace', (file) => {
    const names = globSync('{apps,packages}/*/package.json', { cwd: root }).map((path) => path.split('/')[1] ?? '')
    const text = read(file)
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
  })
})
