import { expect, it } from 'vitest'
import { toMarkdown } from './table.ts'

it('breaks the note of a table into lines of a page', () => {
  const nota = Array.from({ length: 60 }, (_, index) => `palavra${index}`).join(' ')
  const [title, , ...rest] = toMarkdown({ titulo: 'T', nota, colunas: ['a|b'], linhas: [['1']] }).split('\n')
  expect(title).toBe('### T')
  const end = rest.indexOf('')
  const lines = rest.slice(0, end)
  expect(lines.length).toBeGreaterThan(4)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120)
  expect(lines.join(' ')).toBe(nota)
  expect(rest.slice(end + 1)).toEqual(['| a\\|b |', '| --- |', '| 1 |'])
})
