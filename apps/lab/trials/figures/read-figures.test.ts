import { expect, it } from 'vitest'
import { figuresMark } from '../../src/provenance.ts'
import { readFigures } from './read-figures.ts'

it('reads the mark above each table of figures', () => {
  const mark = figuresMark('chaos', { commit: 'a8b4559b+', date: '2026-11-28' })
  const page = `# Title\n\n${mark}\n| a |\n|---|\n| 1 |\n`
  expect(readFigures('docs/link.md', page)).toEqual([
    { page: 'docs/link.md', line: 3, trial: 'chaos', commit: 'a8b4559b', date: '2026-11-28' },
  ])
})

it.each(['<!-- figures: chaos -->', '<!-- figures: chaos, commit x, 2026-11-28 -->'])('refuses the mark %s', (mark) => {
  expect(() => readFigures('docs/link.md', mark)).toThrow('docs/link.md:1: not of the form')
})
