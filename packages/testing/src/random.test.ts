import { describe, expect, it } from 'vitest'
import { fnv1a, mulberry32, normal, type Random, seededRandom, xorshift } from './random.ts'

/** The first four numbers, as whole numbers of 32 bits. */
const first = (random: Random) => Array.from({ length: 4 }, () => random() * 2 ** 32)

/** Another number would give the seeds of tests, trials and published figures another meaning. */
describe('the first numbers of a seed', () => {
  it.each([
    [7, [1_781_599_302, 2_286_406_905, 255_706_740, 2_246_539_634]],
    ['line', [3_894_979_272, 372_339_461, 2_969_860_271, 1_855_616_479]],
  ])('of seededRandom(%j) stay', (seed, numbers) => {
    expect(first(seededRandom(seed))).toEqual(numbers)
  })

  it.each([
    [1, [270_369, 67_634_689, 2_647_435_461, 307_599_695]],
    [7, [1_892_583, 470_389_255, 3_882_205_507, 3_069_989_445]],
  ])('of xorshift(%j) stay', (seed, numbers) => {
    expect(first(xorshift(seed))).toEqual(numbers)
  })

  it('of xorshift(0), a state that would never change, are those of 1', () => {
    expect(first(xorshift(0))).toEqual(first(xorshift(1)))
  })

  it.each([
    [1, [2_693_262_067, 11_749_833, 2_265_367_787, 4_213_581_821]],
    [0xdead_beef, [4_043_151_706, 1_147_597_007, 3_315_858_022, 1_538_288_752]],
    [-1, [3_850_105_811, 813_802_916, 3_073_704_848, 4_054_706_436]],
  ])('of mulberry32(%j) stay', (seed, numbers) => {
    expect(first(mulberry32(seed))).toEqual(numbers)
  })

  it.each([
    ['', 0x811c_9dc5],
    ['a', 0xe40c_292c],
    ['foobar', 0xbf9c_f968],
    ['ção', 4_048_326_174],
  ])('have the seed fnv1a(%j) of a text', (text, hash) => {
    expect(fnv1a(text)).toBe(hash)
  })

  it('of the normal distribution stay', () => {
    const random = mulberry32(1)
    const numbers = Array.from({ length: 3 }, () => normal(random))
    for (const [at, number] of [1.404338778, 1.215754619, -0.510376877].entries())
      expect(numbers[at]).toBeCloseTo(number, 8)
  })
})
