import { describe, expect, it } from 'vitest'
import { type AssembledUnit, createAssembler } from './access-units.ts'
import { createDepacketizer } from './depacketize.ts'
import type { Codec } from './nal-types.ts'

const CODE = Buffer.from([0, 0, 0, 1])
const SHORT = Buffer.from([0, 0, 1])
const bytes = (...parts: (Buffer | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
const long = (header: number[]) => bytes(header, [0x80], Buffer.alloc(400, 7))

/** Parameter sets and the first slice of a keyframe, and the header of each structure. */
const forms = {
  h264: {
    header: 1,
    nals: [bytes([0x67, 1, 2, 3]), bytes([0x68, 4, 5]), long([0x65])],
    aggregate: [24],
    indicator: ([first = 0]: Buffer) => [(first & 0xe0) | 28],
    typeOf: (nal: Buffer) => (nal[0] ?? 0) & 0x1f,
  },
  h265: {
    header: 2,
    nals: [bytes([0x40, 1, 1]), bytes([0x42, 1, 2, 3]), bytes([0x44, 1, 4, 5]), long([0x26, 1])],
    aggregate: [48 << 1, 1],
    indicator: () => [49 << 1, 1],
    typeOf: (nal: Buffer) => ((nal[0] ?? 0) >> 1) & 0x3f,
  },
} as const

/** Fragments of `size` bytes. */
function fragments(codec: Codec, nal: Buffer, size: number): Buffer[] {
  const { header, indicator, typeOf } = forms[codec]
  const found: Buffer[] = []
  for (let at: number = header; at < nal.length; at += size) {
    const flags = (at === header ? 0x80 : 0) | (at + size >= nal.length ? 0x40 : 0)
    found.push(bytes([...indicator(nal), flags | typeOf(nal)], nal.subarray(at, at + size)))
  }
  return found
}

function aggregate(codec: Codec, nals: readonly Buffer[]): Buffer {
  return bytes([...forms[codec].aggregate], ...nals.flatMap((nal) => [[nal.length >> 8, nal.length & 255], nal]))
}

/** The access units of payloads with one timestamp, and whether each payload was read. */
function read(codec: Codec, payloads: readonly Buffer[]) {
  const units: AssembledUnit[] = []
  let damages = 0
  const assembler = createAssembler(codec, {
    onUnit: (unit) => units.push(unit),
    onDamage: () => damages++,
    onDamagedKeyframe: () => {},
  })
  const depacketize = createDepacketizer(codec, assembler)
  const results = payloads.map((payload, index) => {
    // The payload stands inside a larger chunk.
    const chunk = bytes(SHORT, payload, SHORT, [0x65])
    assembler.packet(1, 0, null)
    const isRead = depacketize(chunk, SHORT.length, SHORT.length + payload.length)
    assembler.endPacket(index === payloads.length - 1)
    return isRead
  })
  assembler.flush()
  return { units, damages, results }
}

describe.each(['h264', 'h265'] as const)('payloads of %s', (codec) => {
  const { nals } = forms[codec]
  const annexB = bytes(...nals.flatMap((nal) => [CODE, nal]))
  const macro = annexB.subarray(CODE.length)

  it.each<[string, readonly Buffer[]]>([
    ['single NAL units', nals],
    ['one aggregation packet', [aggregate(codec, nals)]],
    ['fragments', nals.flatMap((nal) => fragments(codec, nal, 50))],
    [
      'an aggregation packet, then fragments',
      [
        aggregate(codec, nals.slice(0, -1)),
        ...fragments(codec, long([...(nals.at(-1) ?? Buffer.alloc(0)).subarray(0, forms[codec].header)]), 50),
      ],
    ],
    ['a keyframe as one NAL unit with start codes', [macro]],
    ['the same in an aggregation packet', [aggregate(codec, [macro])]],
    ['the same in fragments', fragments(codec, macro, 100)],
    // Sizes that cut a start code at each of its bytes.
    ...[3, 4, 5, 6, 7].map((size): [string, Buffer[]] => [
      `the same in fragments of ${size} bytes`,
      fragments(codec, macro, size),
    ]),
    ['with start codes of three bytes', [bytes(...nals.flatMap((nal, index) => (index === 0 ? [nal] : [SHORT, nal])))]],
    ['with a start code in front', [annexB]],
    ...(codec === 'h264' ? [annexB, annexB.subarray(1)] : []).map((data): [string, Buffer[]] => [
      `with a start code of ${data.indexOf(1) + 1} bytes in front, in fragments`,
      fragments(codec, data, 30),
    ]),
  ])('yield the NAL units of one keyframe: %s', (_name, payloads) => {
    const { units, damages, results } = read(codec, payloads)
    expect(results).not.toContain('damaged')
    expect(damages).toBe(0)
    expect(units).toHaveLength(1)
    expect(units[0]?.nals).toEqual(nals)
    expect(units[0]?.parameterSets).toEqual(nals.slice(0, -1))
    expect(units[0]?.keyframe).toBe(true)
  })

  it.each<[string, (packets: Buffer[]) => Buffer[]]>([
    ['without the first fragment', (all) => all.slice(1)],
    ['without the last fragment', (all) => all.slice(0, -1)],
    ['cut in the header', ([first = Buffer.alloc(0)]) => [first.subarray(0, forms[codec].header + 1)]],
  ])('pass on no damaged keyframe: fragments %s', (_name, damage) => {
    expect(read(codec, damage(fragments(codec, macro, 100))).units).toEqual([])
  })

  it('reports lengths of an aggregation packet that do not add up', () => {
    const whole = aggregate(codec, nals)
    for (const payload of [whole.subarray(0, -1), bytes(whole, [0])])
      expect(read(codec, [payload]).results).toEqual(['damaged'])
  })
})
