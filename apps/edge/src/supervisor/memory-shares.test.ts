import { expect, it } from 'vitest'
import { LEAST_SHARE_BYTES, memoryShare } from './memory-shares.ts'

const GIB = 1024 ** 3

it('shares three quarters of the memory by the number of cameras', () => {
  expect(memoryShare(8, 16, 8 * GIB)).toBe(3 * GIB)
  expect(memoryShare(8, 8, 8 * GIB)).toBe(6 * GIB)
  expect(memoryShare(1, 64, 8 * GIB)).toBe(LEAST_SHARE_BYTES)
  // A small machine has no more than this.
  expect(memoryShare(8, 8, GIB / 2)).toBe(0.375 * GIB)
})
