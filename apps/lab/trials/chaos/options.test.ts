import { describe, expect, it } from 'vitest'
import { readOptions } from '../../src/read-options.ts'
import chaos from './trial.ts'

const optionsOf = (...args: string[]) => readOptions(chaos.options, args).options

describe('the options of chaos', () => {
  it.each([0, 1, 4_294_967_296, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])('accept the seed %d', (seed) => {
    expect(optionsOf(`--seed=${seed}`)).toMatchObject({ seed })
  })

  it.each(['9007199254740992', '-9007199254740992', '1.5', '1e3', '0x10', 'x', ''])('reject the seed "%s"', (seed) => {
    expect(() => optionsOf(`--seed=${seed}`)).toThrow('from -9007199254740991 to 9007199254740991')
  })

  it('accept rounds from 1', () => {
    expect(optionsOf('--rounds', '3')).toMatchObject({ rounds: 3, broker: 'aedes', verbose: false })
    expect(() => optionsOf('--rounds', '0')).toThrow('--rounds: is a whole number from 1 to')
    expect(optionsOf()).not.toHaveProperty('seed')
  })
})
