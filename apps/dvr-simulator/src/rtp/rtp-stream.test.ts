import { expect, it } from 'vitest'
import { createRtpStream } from './rtp-stream.ts'

it('numbers packets without a gap across the wrap of 16 bits, and marks the last packet of a unit', () => {
  const stream = createRtpStream()
  let expected = stream.nextSequence
  for (let unit = 0; unit < 2; unit++) {
    const packets = stream.packets(
      Array.from({ length: 40_000 }, () => Buffer.from([1])),
      unit * 9000,
    )
    for (const [index, packet] of packets.entries()) {
      expect(packet.readUInt16BE(2)).toBe(expected)
      expect(packet[1]).toBe(index === packets.length - 1 ? 0xe0 : 0x60)
      expected = (expected + 1) % 65_536
    }
  }
})

it('truncates timestamps to 32 bits', () => {
  const [packet] = createRtpStream().packets([Buffer.from([1])], 2 ** 32 * 3 + 4500)
  expect(packet?.readUInt32BE(4)).toBe(4500)
})

it('sends the time, its counters and its name in a sender report', () => {
  const stream = createRtpStream()
  stream.packets([Buffer.alloc(100), Buffer.alloc(50)], 9000)
  const report = stream.senderReport(2 ** 32 + 18_000, Date.UTC(2026, 0, 1) + 250)
  expect([...report.subarray(0, 4)]).toEqual([0x80, 200, 0, 6])
  expect(report.toString('hex', 4, 8)).toBe(stream.ssrc)
  // 2026-01-01 is 3976214400 s after 1900; a quarter of a second is 2^30 of 2^32.
  expect(report.readUInt32BE(8)).toBe(3_976_214_400)
  expect(report.readUInt32BE(12)).toBe(2 ** 30)
  expect(report.readUInt32BE(16)).toBe(18_000)
  expect(report.readUInt32BE(20)).toBe(2)
  expect(report.readUInt32BE(24)).toBe(150)
  const description = report.subarray(28)
  expect(description[1]).toBe(202)
  expect((description.readUInt16BE(2) + 1) * 4).toBe(description.length)
  expect(description.toString('utf8', 10, 10 + (description[9] ?? 0))).toBe('vigia-simulador')
})
