import { describe, expect, it } from 'vitest'
import { readOptions } from './options.ts'

describe('the options of chaos', () => {
  it.each([0, 1, 4_294_967_296, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])('accept the seed %d', (seed) => {
    expect(readOptions([`--seed=${seed}`]).seed).toBe(seed)
  })

  it.each(['9007199254740992', '-9007199254740992', '1.5', '1e3', '0x10', 'x', ''])('reject the seed "%s"', (seed) => {
    expect(() => readOptions([`--seed=${seed}`])).toThrow('from -9007199254740991 to 9007199254740991')
  })

  it('accept rounds from 1', () => {
    expect(readOptions(['--rounds', '3'])).toMatchObject({ rounds: 3, broker: 'aedes', verbose: false })
    expect(() => readOptions(['--rounds', '0'])).toThrow('--rounds is a whole number from 1 to')
    expect(Number.isSafeInteger(readOptions([]).seed)).toBe(true)
  })
})
