import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { createPacketGate } from './packet-gate.ts'

const MAX = 100_000
const PUBLISH = 0x30
const SUBSCRIBE = 0x82

/** A packet with the given announced length and `body` bytes of content. */
function packet(type: number, length: number, body = length): Buffer {
  const header = [type]
  let rest = length
  do {
    header.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from(header), Buffer.alloc(body, 0xff)])
}

it('passes packets however they are split', () => {
  const sizes = [0, 1, 127, 128, 16_383, 16_384, MAX]
  const stream = Buffer.concat(sizes.map((size) => packet(PUBLISH, size)))
  for (let round = 0; round < 50; round += 1) {
    const gate = createPacketGate(MAX)
    for (let at = 0; at < stream.length; ) {
      const size = randomInt(1, 5_000)
      expect(gate.accepts(stream.subarray(at, at + size))).toBe(true)
      at += size
    }
  }
  const gate = createPacketGate(MAX)
  expect([...stream.subarray(0, 1_000)].every((byte) => gate.accepts(Buffer.from([byte])))).toBe(true)
})

it('stops at the header of a packet that is too large', () => {
  expect(createPacketGate(MAX).accepts(packet(PUBLISH, MAX + 1, 0))).toBe(false)
  expect(createPacketGate(MAX).accepts(packet(PUBLISH, 268_435_455, 0))).toBe(false)
  const after = createPacketGate(MAX)
  expect(after.accepts(Buffer.concat([packet(PUBLISH, 10), packet(PUBLISH, MAX + 1, 0)]))).toBe(false)
})

it('allows 16 KiB for every other packet', () => {
  expect(createPacketGate(MAX).accepts(packet(SUBSCRIBE, 16 * 1024))).toBe(true)
  expect(createPacketGate(MAX).accepts(packet(SUBSCRIBE, 16 * 1024 + 1, 0))).toBe(false)
})

it('stops at a malformed length', () => {
  expect(createPacketGate(MAX).accepts(Buffer.from([PUBLISH, 0x80, 0x80, 0x80, 0x80]))).toBe(false)
  expect(createPacketGate(MAX).accepts(Buffer.from([PUBLISH, 0x80, 0x80, 0x80, 0x00]))).toBe(true)
})
