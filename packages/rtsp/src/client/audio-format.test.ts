import { describe, expect, it } from 'vitest'
import { parseSdp } from '../sdp.ts'
import { readAudioFormat } from './audio-format.ts'

const AAC = 'mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1408'

const readerOf = (type: number, ...lines: readonly string[]) => {
  const { audio } = parseSdp(['v=0', `m=audio 0 RTP/AVP ${type}`, ...lines, 'a=control:som'].join('\r\n'))
  return audio && readAudioFormat(audio)
}
const aac = (fmtp = AAC) => readerOf(97, 'a=rtpmap:97 MPEG4-GENERIC/16000/1', `a=fmtp:97 ${fmtp}`)
const latm = (fmtp: string) => readerOf(97, 'a=rtpmap:97 MP4A-LATM/16000/1', `a=fmtp:97 ${fmtp}`)

/** AU headers of 16 bits, then `data`. */
const generic = (sizes: readonly number[], data: Buffer): Buffer => {
  const head = Buffer.alloc(2 + sizes.length * 2)
  head.writeUInt16BE(sizes.length * 16)
  for (const [index, size] of sizes.entries()) head.writeUInt16BE(size << 3, 2 + index * 2)
  return Buffer.concat([head, data])
}
const bytes = (length: number, value = 7) => Buffer.alloc(length, value)

describe('the format', () => {
  it('is read from static and dynamic types', () => {
    expect(readerOf(8)).toMatchObject({ format: { codec: 'pcma', sampleRate: 8000 }, packetTicks: null })
    expect(readerOf(0)).toMatchObject({ format: { codec: 'pcmu', sampleRate: 8000 } })
    expect(readerOf(98, 'a=rtpmap:98 pcma/16000')).toMatchObject({ format: { codec: 'pcma', sampleRate: 16_000 } })
    const specific = Buffer.from('1408', 'hex')
    expect(aac()).toMatchObject({ format: { codec: 'aac', specific }, clockRate: 16_000, packetTicks: 1024 })
    expect(latm('cpresent=0;config=400028103FC0')).toMatchObject({ format: { codec: 'aac', specific } })
  })

  it.each([
    ['G.711 with two channels', readerOf(98, 'a=rtpmap:98 PCMA/8000/2')],
    ['G.726', readerOf(98, 'a=rtpmap:98 G726-32/8000')],
    ['AAC without its configuration', aac('mode=AAC-hbr')],
    ['AAC with a configuration that is no hexadecimal number', aac('mode=AAC-hbr;config=xyz')],
    ['AAC without a clock', readerOf(97, 'a=rtpmap:97 mpeg4-generic', `a=fmtp:97 ${AAC}`)],
    ['LATM with its configuration in the packets', latm('cpresent=1;config=400028103FC0')],
    ['LATM with two programs', latm('cpresent=0;config=400428103FC0')],
    ['LATM that ends early', latm('cpresent=0;config=4000')],
    ['a description without audio', readerOf(200)],
  ])('is not read: %s', (_, reader) => {
    expect(reader).toBeNull()
  })
})

describe('MPEG4-GENERIC', () => {
  it('holds one unit or several in a payload', () => {
    const units = aac()?.payloads
    expect(units?.take(generic([5], bytes(5)), true)).toEqual([bytes(5)])
    const two = Buffer.concat([bytes(3, 1), bytes(4, 2)])
    expect(units?.take(generic([3, 4], two), true)).toEqual([bytes(3, 1), bytes(4, 2)])
  })

  it('is read without the sizes of its headers', () => {
    expect(aac('mode=AAC-hbr;config=1408')?.payloads.take(generic([5], bytes(5)), true)).toEqual([bytes(5)])
  })

  it('joins the fragments of a unit, and drops it if one is missing', () => {
    const units = aac()?.payloads
    expect(units?.take(generic([9], bytes(5, 1)), false)).toEqual([])
    expect(units?.take(generic([9], bytes(4, 2)), true)).toEqual([Buffer.concat([bytes(5, 1), bytes(4, 2)])])
    expect(units?.take(generic([9], bytes(5, 1)), false)).toEqual([])
    units?.lost()
    expect(units?.take(generic([3], bytes(3)), true)).toEqual([bytes(3)])
  })

  it('yields nothing of damaged payloads', () => {
    const units = aac()?.payloads
    for (const payload of [Buffer.alloc(0), bytes(1), generic([0], bytes(3)), Buffer.from([255, 255, 1])])
      expect(units?.take(payload, true)).toEqual([])
    expect(units?.take(generic([3, 9], bytes(5)), true)).toEqual([bytes(3)])
  })
})

describe('MP4A-LATM', () => {
  const CONFIG = 'cpresent=0;config=400028103FC0'

  it('holds units behind their length, over several payloads up to the marker', () => {
    const units = latm(CONFIG)?.payloads
    expect(units?.take(Buffer.concat([Buffer.from([255, 5]), bytes(200)]), false)).toEqual([])
    expect(units?.take(Buffer.concat([bytes(60), Buffer.from([2, 1, 1])]), true)).toEqual([bytes(260), bytes(2, 1)])
  })

  it('yields nothing of damaged payloads, and holds a bounded number of bytes', () => {
    const units = latm(CONFIG)?.payloads
    expect(units?.take(Buffer.from([9, 1]), true)).toEqual([])
    for (let payload = 0; payload < 100; payload++) expect(units?.take(bytes(1400, 255), false)).toEqual([])
    expect(units?.take(Buffer.from([1, 3]), true)).toEqual([])
    expect(units?.take(Buffer.from([1, 3]), true)).toEqual([Buffer.from([3])])
  })
})
