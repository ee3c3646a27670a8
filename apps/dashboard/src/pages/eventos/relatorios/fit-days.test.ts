import { expect, it } from 'vitest'
import { fitDays } from './fit-days.ts'

it.each([
  ['de', '2026-01-01', '2026-12-31', '2026-01-01', '2026-12-31'],
  ['de', '2024-01-01', '2024-12-31', '2024-01-01', '2024-12-31'],
  ['de', '2020-01-01', '2026-11-22', '2020-01-01', '2020-01-31'],
  ['ate', '2026-11-22', '2026-11-01', '2026-10-02', '2026-11-01'],
  ['ate', '2025-01-01', '2026-01-02', '2025-12-03', '2026-01-02'],
] as const)('after a change of %s from %s to %s', (changed, de, ate, first, last) => {
  expect(fitDays({ de, ate }, changed)).toEqual({ de: first, ate: last })
})
