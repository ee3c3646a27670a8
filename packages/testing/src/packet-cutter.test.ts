import { describe, expect, it } from 'vitest'
import { createPacketCutter } from './packet-cutter.ts'

const packet = (bytes: number): Buffer => {
  const length = bytes < 128 ? [bytes] : [(bytes & 0x7f) | 0x80, bytes >> 7]
  return Buffer.concat([Buffer.from([0x30, ...length]), Buffer.alloc(bytes, bytes)])
}

describe('the packet cutter', () => {
  it('returns whole packets in order for all chunk boundaries', () => {
    const sent = [packet(0), packet(5), packet(127), packet(128), packet(3000)]
    const stream = Buffer.concat(sent)
    for (const size of [1, 2, 7, 129, stream.length]) {
      const cut = createPacketCutter()
      const got: Buffer[] = []
      for (let at = 0; at < stream.length; at += size) got.push(...cut(stream.subarray(at, at + size)))
      expect(got).toEqual(sent)
    }
  })

  it('rejects an invalid length', () => {
    expect(() => createPacketCutter()(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01]))).toThrow('malformed')
  })
})
