import { expect, it } from 'vitest'
import { dropsText, isRightlyDropped, shareDrops } from './drops.ts'

const rounds = [
  { startedAt: 100, fills: [] },
  { startedAt: 200, fills: ['fill quota'] },
  { startedAt: 300, fills: [] },
]

it('shares dropped events by the faults of their round', () => {
  const drops = [
    { at: 150, records: 4 },
    { at: 200, records: 500 },
    { at: 299, records: 20 },
    { at: 301, records: 6 },
  ]
  const shares = shareDrops(drops, rounds, { produced: 1000, recorded: 530 })
  expect(dropsText(shares)).toBe('dropped=53.0% (fill quota 52.0%, otherwise 1.0%)')
  expect(isRightlyDropped(shares)).toBe(true)
})

it('fails when more than one event of a hundred is dropped in other rounds', () => {
  const shares = shareDrops([{ at: 350, records: 11 }], rounds, { produced: 1000, recorded: 11 })
  expect(isRightlyDropped(shares)).toBe(false)
})

it('counts gap records without a known time as dropped in other rounds', () => {
  const shares = shareDrops([{ at: 250, records: 5 }], rounds, { produced: 1000, recorded: 105 })
  expect(dropsText(shares)).toBe('dropped=10.5% (fill quota 0.5%, otherwise 10.0%)')
  expect(isRightlyDropped(shares)).toBe(false)
})
