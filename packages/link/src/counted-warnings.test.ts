import { expect, it } from 'vitest'
import { createCountedWarnings } from './counted-warnings.ts'

it('logs one line a cause and period, then the number of further warnings', () => {
  const lines: [object, string][] = []
  let now = 0
  const warnings = createCountedWarnings({ warn: (fields, message) => lines.push([fields, message]) }, () => now)
  for (let i = 0; i < 1_000; i += 1) warnings.warn('full 7', { edgeId: 7, i }, 'full')
  warnings.warn('full 8', { edgeId: 8 }, 'full')
  expect(lines).toEqual([
    [{ edgeId: 7, i: 0 }, 'full'],
    [{ edgeId: 8 }, 'full'],
  ])
  now = 10_000
  warnings.warn('full 7', { edgeId: 7, i: 1_000 }, 'full')
  expect(lines.slice(2)).toEqual([
    [{ edgeId: 7, i: 999, more: 999 }, 'full'],
    [{ edgeId: 7, i: 1_000 }, 'full'],
  ])
})

it('bounds the number of causes', () => {
  let lines = 0
  const warnings = createCountedWarnings({ warn: () => (lines += 1) }, () => 0)
  for (let i = 0; i < 20_000; i += 1) warnings.warn(`cause ${i}`, {}, 'x')
  expect(lines).toBe(10_000)
})
