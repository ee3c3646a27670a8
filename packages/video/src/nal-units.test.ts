import { describe, expect, it } from 'vitest'
import { nalFormat } from './nal-units.ts'

const sps = Buffer.from([0x67, 66, 0, 30, 1])
const pps = Buffer.from([0x68, 2])
const sized = (nal: Buffer) => Buffer.concat([Buffer.from([0, nal.length]), nal])
const avcC = (lengthSize: number) =>
  Buffer.concat([Buffer.from([1, 66, 0, 30, 0xfc | (lengthSize - 1), 0xe1]), sized(sps), Buffer.from([1]), sized(pps)])

describe('length-prefixed units', () => {
  it.each([1, 2, 4])('with lengths of %i bytes', (lengthSize) => {
    const format = nalFormat('h264', avcC(lengthSize))
    expect(format?.parameterSets).toEqual([sps, pps])
    const length = Buffer.alloc(lengthSize)
    length[lengthSize - 1] = 3
    const packet = Buffer.concat([length, Buffer.from([0x65, 1, 2]), length, Buffer.from([0x65, 3, 4])])
    expect(format?.split(packet)).toEqual([Buffer.from([0x65, 1, 2]), Buffer.from([0x65, 3, 4])])
    for (let cut = 1; cut < packet.length; cut++)
      if (cut !== lengthSize + 3) expect(format?.split(packet.subarray(0, cut))).toBeNull()
  })

  it('returns the parameter sets of H.265 without its other arrays', () => {
    const [vps, hevcSps, hevcPps, sei] = [0x40, 0x42, 0x44, 0x4e].map((first) => Buffer.from([first, 1, 9]))
    const array = (type: number, nal: Buffer | undefined) =>
      Buffer.concat([Buffer.from([0x80 | type, 0, 1]), sized(nal ?? Buffer.alloc(0))])
    const record = Buffer.alloc(23)
    record[0] = 1
    record[21] = 3
    record[22] = 4
    const hvcC = Buffer.concat([record, array(32, vps), array(33, hevcSps), array(39, sei), array(34, hevcPps)])
    expect(nalFormat('h265', hvcC)?.parameterSets).toEqual([vps, hevcSps, hevcPps])
    for (let cut = 0; cut < hvcC.length; cut++) expect(nalFormat('h265', hvcC.subarray(0, cut))).toBeNull()
  })

  it('refuses cut records', () => {
    const record = avcC(4)
    for (let cut = 0; cut < record.length; cut++) expect(nalFormat('h264', record.subarray(0, cut))).toBeNull()
  })
})

describe('start codes', () => {
  it('of three and four bytes, with trailing zeros', () => {
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 1]), sps, Buffer.from([0, 0, 1]), pps, Buffer.from([0, 0])])
    const format = nalFormat('h264', bytes)
    expect(format?.parameterSets).toEqual([sps, pps])
    expect(format?.split(bytes)).toEqual([sps, pps])
  })

  it('finds nothing in empty data', () => {
    expect(nalFormat('h264', Buffer.alloc(0))).toBeNull()
    expect(nalFormat('h264', Buffer.from([9, 9, 9]))).toBeNull()
    expect(nalFormat('h264', Buffer.from([0, 0, 1, 0, 0, 1]))).toBeNull()
  })
})
