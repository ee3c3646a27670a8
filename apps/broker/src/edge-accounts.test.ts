import type { EdgeLineage } from '@vigia/link/edge-lineage'
import { expect, it } from 'vitest'
import { createEdgeAccounts } from './edge-accounts.ts'
import { DEFAULT_LIMITS } from './limits.ts'

const MIB = 1024 * 1024
const of = (root: string, edge: number): EdgeLineage => ({ root, empresa: root, edge: `${root}-${edge}` })
const clock = { now: 0 }
const accounts = () => createEdgeAccounts(DEFAULT_LIMITS, () => clock.now)

it('reads twenty boxes of one Empresa no faster than an Empresa may send, and a neighbour at its own rate', () => {
  clock.now = 0
  const { open } = accounts()
  const boxes = Array.from({ length: 20 }, (_, box) => ({ account: open(of('hostile', box)), waitsUntil: 0 }))
  let read = 0
  for (clock.now = 0; clock.now < 10_000; clock.now += 10)
    for (const box of boxes) {
      if (box.waitsUntil > clock.now) continue
      read += 64 * 1024
      box.waitsUntil = clock.now + box.account.rateWaitMs({ bytes: 64 * 1024, packets: 1 })
    }
  // 8 MiB a second for 10 s, a burst of 2 s, and one chunk of each box.
  expect(read / MIB).toBeLessThan(8 * 12 + 3)
  expect(read / MIB).toBeGreaterThan(8 * 11)
  expect(open(of('neighbour', 1)).rateWaitMs({ bytes: 4 * MIB, packets: 10 })).toBe(0)
})

it('the memory of large publications is bounded per edge, per Empresa and together, and granted in turns', () => {
  const { open } = accounts()
  const granted: string[] = []
  const hostile = Array.from({ length: 20 }, (_, box) => open(of('hostile', box)))
  const taken = hostile.filter((account, box) => account.reserve(6 * MIB, () => granted.push(`hostile ${box}`)))
  expect(taken).toHaveLength(5)
  const neighbour = open(of('neighbour', 1))
  expect(neighbour.reserve(6 * MIB, () => granted.push('neighbour'))).toBe(true)
  expect(neighbour.reserve(6 * MIB, () => granted.push('neighbour'))).toBe(true)
  expect(neighbour.reserve(6 * MIB, () => granted.push('neighbour'))).toBe(false)
  hostile[0]?.passedOn(6 * MIB)
  expect(granted).toEqual(['hostile 5'])
  neighbour.passedOn(6 * MIB)
  expect(granted).toEqual(['hostile 5', 'neighbour'])
  for (const account of [...hostile, neighbour]) account.close()
  expect(open(of('hostile', 1)).reserve(12 * MIB, () => {})).toBe(true)
})

it('boxes that do not read hold no more memory than their Empresa may', () => {
  const { open } = accounts()
  const held = Array.from({ length: 20 }, (_, box) => open(of('hostile', box)).mayQueue(8 * MIB))
  expect(held.filter(Boolean)).toHaveLength(4)
  expect(open(of('hostile', 30)).mayQueue(1_000)).toBe(true)
  expect(open(of('neighbour', 1)).mayQueue(8 * MIB)).toBe(true)
})

it('the edges of one root leave connections for others', () => {
  const { open } = createEdgeAccounts({ ...DEFAULT_LIMITS, connections: { edge: 2, empresa: 3, root: 3 } }, () => 0)
  const admitted = [1, 2, 3, 4].map((edge) => open(of('hostile', edge)).admit())
  expect(admitted).toEqual([true, true, true, false])
  expect(open(of('neighbour', 1)).admit()).toBe(true)
})

it('a new list of certificates frees nothing that a root holds', () => {
  const { open } = accounts()
  const old = Array.from({ length: 5 }, (_, box) => open(of('a', box)))
  for (const account of old) expect(account.reserve(6 * MIB, () => {})).toBe(true)
  for (const [box, account] of old.entries()) account.regroup(of('b', box))
  expect(open(of('b', 9)).reserve(6 * MIB, () => {})).toBe(false)
  for (const account of old) account.close()
  expect(open(of('b', 9)).reserve(6 * MIB, () => {})).toBe(true)
})
