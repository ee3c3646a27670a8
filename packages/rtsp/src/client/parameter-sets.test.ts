import { describe, expect, it } from 'vitest'
import { createParameterSets } from './parameter-sets.ts'

/** SPS of x264 (640x360, 1920x1080) and PPS with the ids 0 and 1: ue(0) is `1`, ue(1) is `010`. */
const sps = Buffer.from('Z0LAFtkAoC/5cBEAAAMAAQAAAwAUDxYuSA==', 'base64')
const otherSps = Buffer.from('Z2QAKKzZQHgCJ+XARAAAAwAEAAADAFA8YMZY', 'base64')
const pps = Buffer.from([0x68, 0xce, 0x38, 0x80])
const changedPps = Buffer.from([0x68, 0xce, 0x38, 0x81])
const secondPps = Buffer.from([0x68, 0x4e, 0x38, 0x80])

describe('createParameterSets', () => {
  it('reports changes of the sets in force, and whether a decoder can begin', () => {
    const sets = createParameterSets('h264')
    expect(sets.take([sps])).toBe(true)
    expect(sets.complete).toBe(false)
    expect(sets.take([pps])).toBe(true)
    expect(sets.complete).toBe(true)
    expect(sets.take([Buffer.from(sps), Buffer.from(pps)])).toBe(false)
    expect(sets.take([changedPps])).toBe(true)
    expect(sets.all).toEqual([sps, changedPps])
  })

  it('keeps sets with different ids until the SPS changes', () => {
    const sets = createParameterSets('h264')
    sets.take([sps, pps, secondPps])
    expect(sets.all).toEqual([sps, pps, secondPps])
    sets.take([otherSps, pps])
    expect(sets.all).toEqual([otherSps, pps])
  })

  it('copies the sets that it keeps', () => {
    const sets = createParameterSets('h264')
    const given = Buffer.from(sps)
    sets.take([given])
    given.fill(0)
    expect(sets.all).toEqual([sps])
  })

  it('skips other units, damaged sets and sets above the limits', () => {
    const sets = createParameterSets('h264')
    const long = Buffer.concat([pps, Buffer.alloc(5000)])
    expect(sets.take([Buffer.from([0x65, 1, 2, 3]), Buffer.from([0x67]), Buffer.from([0x68, 0, 0, 0]), long])).toBe(
      false,
    )
    expect(sets.all).toEqual([])
  })
})
