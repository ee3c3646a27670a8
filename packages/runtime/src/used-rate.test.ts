import { expect, it } from 'vitest'
import { createUsedRate, createUsedRates, type Rate } from './used-rate.ts'

const RATE: Rate = { recordsPerS: 10, bytesPerS: 1_000, burstRecords: 5, burstBytes: 2_000 }
const record = { records: 1, bytes: 10 }

it('says how long a sender waits until its records are within the rate', () => {
  const used = createUsedRate()
  for (let count = 0; count < 5; count++) used.charge(RATE, 1_000, record)
  expect(used.excessMs(RATE, 1_000)).toBe(0)
  used.charge(RATE, 1_000, record)
  expect(used.excessMs(RATE, 1_000)).toBe(100)
  expect(used.excessMs(RATE, 1_100)).toBe(0)
})

it('counts bytes beside records', () => {
  const used = createUsedRate()
  used.charge(RATE, 1_000, { records: 0, bytes: 2_500 })
  expect(used.excessMs(RATE, 1_000)).toBe(500)
})

it('divides a rate between senders', () => {
  const used = createUsedRate()
  for (let count = 0; count < 3; count++) used.charge(RATE, 1_000, record, 2)
  expect(used.excessMs(RATE, 1_000)).toBe(100)
})

it('saves no unused time', () => {
  const used = createUsedRate()
  for (let count = 0; count < 6; count++) used.charge(RATE, 1_000_000, record)
  expect(used.excessMs(RATE, 1_000_000)).toBe(100)
})

it('forgets idle keys, and counts the others', () => {
  const rates = createUsedRates()
  for (let key = 0; key < 3_000; key++) rates.of(key, 1_000).charge(RATE, 1_000, record)
  expect(rates.busy(1_050)).toBe(3_000)
  expect(rates.busy(2_000)).toBe(0)
  const kept = rates.of(1, 2_000)
  kept.charge(RATE, 2_000, record)
  for (let key = 10_000; key < 20_000; key++) rates.of(key, 2_000)
  expect(rates.of(1, 2_000)).toBe(kept)
})
