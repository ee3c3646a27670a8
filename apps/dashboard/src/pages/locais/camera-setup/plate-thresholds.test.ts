import { expect, it } from 'vitest'
import { thresholdName, thresholds } from './plate-thresholds.ts'

it('names each threshold, and the nearest one of another value', () => {
  for (const [name, conf] of Object.entries(thresholds)) expect(thresholdName(conf)).toBe(name)
  expect(thresholdName(1)).toBe('alta')
  expect(thresholdName(0)).toBe('baixa')
})
