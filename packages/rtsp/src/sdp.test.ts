import { describe, expect, it } from 'vitest'
import { buildSdp, parseSdp } from './sdp.ts'

const h264 = (sets: string, extra = '') =>
  'v=0\r\ns=x\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1; ' +
  `profile-level-id=640028; sprop-parameter-sets=${sets}\r\n${extra}`

describe('parseSdp', () => {
  it.each([
    // Produced by x264 and libx265 (`ffmpeg -f lavfi -i testsrc=size=… -pix_fmt …`), read from the stream's header.
    ['H.264 baseline', '640x360', 'Z0LAFtkAoC/5cBEAAAMAAQAAAwAUDxYuSA=='],
    ['H.264 high, cropped', '1920x1080', 'Z2QAKKzZQHgCJ+XARAAAAwAEAAADAFA8YMZY'],
    ['H.264 odd size', '354x242', 'Z2QADKzZQXCHiIjARAAAAwAEAAADAFA8UKZY'],
    ['H.264 interlaced', '720x484', 'Z2QAFqzZQLQg/EYCIAAAAwAgAAADAoPihTLA'],
    ['H.264 4:2:2', '1280x722', 'Z3oAILzZQFAF34/ARAAAAwAEAAADAFA8YMZY'],
    ['H.264 4:4:4', '355x243', 'Z/QADJGbKC4Q8dHYCIAAAAMAgAAACgeKFMs='],
    ['H.265 main', '640x360', 'QgEBAWAAAAMAkAAAAwAAAwA/oAUCAWlllZpJMrwFoCAAAAMAIAAAAwFB'],
    ['H.265 main, cropped', '1920x1080', 'QgEBAWAAAAMAkAAAAwAAAwB4oAPAgBDlllZpJMrwFoCAAAADAIAAAAUE'],
  ] as const)('%s: %s', (_encoding, expected, sets) => {
    const h265 = `m=video 0 RTP/AVP 96\r\na=rtpmap:96 H265/90000\r\na=fmtp:96 sprop-sps=${sets}\r\n`
    expect(parseSdp(sets.startsWith('Qg') ? h265 : h264(sets)).video?.resolucao).toBe(expected)
  })

  it('reads the H.264 track of a recorder', () => {
    const { video } = parseSdp(
      h264(
        'Z01AHo2NUDAJP/AAAAMAEAAAAwFA,aO44gA==',
        'a=control:trackID=0\r\nm=audio 0 RTP/AVP 8\r\na=control:trackID=1\r\n',
      ),
    )
    expect(video).toMatchObject({ codec: 'h264', payloadType: 96, clockRate: 90_000, control: 'trackID=0' })
    expect(video?.parameterSets.map((set) => set[0])).toEqual([0x67, 0x68])
  })

  it.each([
    [h264('AAAAAWdCwBbZAKAv+XARAAADAAEAAAMAFA8WLkg=,AAABaM44gA=='), '640x360', [0x67, 0x68]],
    [
      'm=video 0 RTP/AVP 96\r\na=rtpmap:96 H265/90000\r\na=fmtp:96 sprop-sps=' +
        'AAAAAUIBAQFgAAADAJAAAAMAAAMAP6AFAgFpZZWaSTK8BaAgAAADACAAAAMBQQ==\r\n',
      '640x360',
      [0x42],
    ],
  ])('reads parameter sets behind start codes', (text, resolucao, first) => {
    const { video } = parseSdp(text)
    expect(video?.resolucao).toBe(resolucao)
    expect(video?.parameterSets.map((set) => set[0])).toEqual(first)
  })

  it('reads a format with another payload type, if it is the only one', () => {
    const track = 'm=video 0 RTP/AVP 96\r\na=rtpmap:97 H264/90000\r\n'
    expect(parseSdp(track).video).toMatchObject({ codec: 'h264', payloadType: 96 })
    expect(parseSdp(`${track}a=rtpmap:98 H265/90000\r\n`).video).toBeNull()
  })

  it('reads the first of several videos, LF line ends and names in any case', () => {
    const { video } = parseSdp(
      'v=0\nm=audio 0 RTP/AVP 0\nm=video 0 RTP/AVP 98\na=RTPMAP:98 hevc/90000\n' +
        'm=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    )
    expect(video).toMatchObject({ codec: 'h265', payloadType: 98, parameterSets: [], resolucao: null, control: null })
  })

  it('reads static payload types and unsupported formats', () => {
    expect(parseSdp('m=video 0 RTP/AVP 26\r\n').video?.codec).toBe('jpeg')
    expect(parseSdp('m=video 0 RTP/AVP 31\r\n').video?.codec).toBe('h261')
    expect(parseSdp('m=video 0 RTP/AVP 96\r\na=rtpmap:96 FOO/90000\r\n').video?.codec).toBe('foo')
    expect(parseSdp('m=video 0 RTP/AVP 96\r\na=rtpmap:96 constructor/90000\r\n').video?.codec).toBe('constructor')
  })

  it('reads a declared size without parameter sets', () => {
    expect(parseSdp(h264('', 'a=framesize:96 1920-1080\r\n')).video?.resolucao).toBe('1920x1080')
    expect(parseSdp(h264('', 'a=x-dimensions:704,480\r\n')).video?.resolucao).toBe('704x480')
  })

  it.each([
    '',
    'v=0\r\ns=x\r\n',
    'm=audio 0 RTP/AVP 0\r\n',
    'm=video',
    'm=video 0 RTP/AVP',
    'm=video 0 RTP/AVP x',
    'm=video 0 RTP/AVP 96\r\n',
    '\0\0',
  ])('finds no video in %j', (text) => {
    expect(parseSdp(text).video).toBeNull()
  })

  it('survives damaged parameter sets', () => {
    const whole = Buffer.from('Z2QAKKzZQHgCJ+XARAAAAwAEAAADAPA8YMZY', 'base64')
    for (let length = 0; length < whole.length; length++)
      expect(parseSdp(h264(whole.subarray(0, length).toString('base64'))).video?.codec).toBe('h264')
    for (let bit = 8; bit < whole.length * 8; bit++) {
      const damaged = Buffer.from(whole)
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const size = parseSdp(h264(damaged.toString('base64'))).video?.resolucao
      if (size) expect(size).toMatch(/^\d{1,5}x\d{1,5}$/)
    }
    expect(parseSdp(h264('!!!,====,Zw==')).video?.resolucao).toBeNull()
  })
})

describe('buildSdp', () => {
  const sets = ['Z2QAKKzZQHgCJ+XARAAAAwAEAAADAPA8YMZY', 'aOvjyyLA'].map((set) => Buffer.from(set, 'base64'))
  const video = {
    codec: 'h264',
    payloadType: 96,
    parameterSets: sets,
    width: 1920,
    height: 1080,
    fps: 29.97003,
    control: 'trackID=0',
  } as const

  it('is read back by parseSdp', () => {
    const text = buildSdp({ titulo: 'Vigia', host: '127.0.0.1', video })
    expect(parseSdp(text).video).toEqual({
      codec: 'h264',
      encodingName: 'H264',
      payloadType: 96,
      clockRate: 90_000,
      parameterSets: sets,
      resolucao: '1920x1080',
      control: 'trackID=0',
    })
    expect(text).toContain('profile-level-id=640028;')
    expect(text).toContain('a=framerate:29.97\r\n')
    expect(text.endsWith('\r\n')).toBe(true)
  })

  it('describes a device without video, one with an unknown codec, and one on IPv6', () => {
    expect(parseSdp(buildSdp({ titulo: 'x', host: '::1', video: null })).video).toBeNull()
    expect(buildSdp({ titulo: 'x', host: '::1', video: null })).toContain('IN IP6 ::1')
    const odd = buildSdp({ titulo: 'x', host: '127.0.0.1', video: { ...video, rtpmap: 'FOO/90000' } })
    expect(parseSdp(odd).video).toMatchObject({ codec: 'foo', parameterSets: [] })
  })
})
