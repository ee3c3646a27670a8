import { describe, expect, it } from 'vitest'
import { createReplyReader, type Reading } from './reply.ts'

/** Returns the reply read from the bytes in pieces of `size`, without any bytes after them. */
function read(text: string | Buffer, { size = 7, cseq = 2 } = {}): Reading {
  const bytes = Buffer.from(text as string, 'latin1')
  const reader = createReplyReader(cseq)
  for (let at = 0; at < bytes.length; at += size) {
    const reading = reader.push(bytes.subarray(at, at + size))
    if (reading.kind !== 'incomplete') return reading
  }
  return { kind: 'incomplete' }
}
const seen = (reading: Reading) =>
  reading.kind === 'reply' ? [reading.reply.status, reading.reply.body.toString('latin1')] : reading.kind

const ok = 'RTSP/1.0 200 OK\r\nCSeq: 2\r\nContent-Length: 4\r\n\r\nv=0\n'

describe('createReplyReader', () => {
  it.each([
    ['a plain reply', ok],
    ['bare line feeds', ok.replaceAll('\r\n', '\n')],
    ['no reason', ok.replace(' OK', '')],
    ['blanks', ok.replace('200 OK', '  200   Tudo bem ')],
    ['other spelling of names', ok.replace('CSeq: ', 'cseq :').replace('Content-Length', 'CONTENT-length')],
    ['no CSeq', ok.replace('CSeq: 2\r\n', '')],
    ['a CSeq of 0', ok.replace('CSeq: 2', 'Cseq: 0')],
    ['a CSeq without a number', ok.replace('CSeq: 2', 'CSeq: x')],
    ['an empty CSeq', ok.replace('CSeq: 2', 'CSeq:')],
    ['lines without a name', ok.replace('CSeq', 'lixo\r\n: vazio\r\n continua\r\nCSeq')],
    ['empty lines before', `\r\n\n\r\n${ok}`],
    ['an interleaved packet before', `$\x00\x00\x03abc${ok}`],
    ['a reply to another request before', `${ok.replace('CSeq: 2', 'CSeq: 1').replace('v=0', 'abc')}${ok}`],
    ['a provisional reply before', `RTSP/1.0 100 Continue\r\nCSeq: 2\r\n\r\n${ok}`],
    ['more than its length', `${ok}mais`],
  ])('%s', (_, text) => {
    for (const size of [1, 7, 1000]) expect(seen(read(text, { size }))).toEqual([200, 'v=0\n'])
  })

  it('keeps all values of a repeated header', () => {
    const reading = read('RTSP/1.0 401 No\r\nWWW-Authenticate: Digest a\r\nwww-authenticate: Basic b\r\n\r\n')
    expect(reading).toMatchObject({ kind: 'reply', reply: { status: 401 } })
    if (reading.kind === 'reply') expect(reading.reply.headers.get('www-authenticate')).toEqual(['Digest a', 'Basic b'])
  })

  it('reads no body for an error without a length, and waits for the body of a description', () => {
    expect(seen(read('RTSP/1.0 404 No\r\nCSeq: 2\r\n\r\n'))).toEqual([404, ''])
    for (const length of ['', 'Content-Length: x\r\n', 'Content-Length: -4\r\n']) {
      const reader = createReplyReader(2)
      expect(reader.push(Buffer.from(`RTSP/1.0 200 OK\r\n${length}\r\nv=0\r\n`))).toEqual({ kind: 'incomplete' })
      expect(seen(reader.end())).toEqual([200, 'v=0\r\n'])
    }
  })

  it('returns the received part of a body shorter than announced', () => {
    const reader = createReplyReader(2)
    expect(reader.push(Buffer.from(ok.replace(': 4', ': 400')))).toEqual({ kind: 'incomplete' })
    expect(seen(reader.end())).toEqual([200, 'v=0\n'])
  })

  it.each(['', 'RTSP', 'RTSP/1.0 200 OK\r\nCSeq: 2\r\n', ok.replace('CSeq: 2', 'CSeq: 3')])(
    'finds no reply in %j, even at the end',
    (text) => {
      const reader = createReplyReader(2)
      reader.push(Buffer.from(text))
      expect(reader.end()).toEqual({ kind: 'incomplete' })
      expect(reader.isRtsp).toBe(text.length > 8)
    },
  )

  it.each([
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    'RTSP/2.0 200 OK\r\n\r\n',
    'RTSP/1.0 abc\r\n\r\n',
    'RTSP/1.0 2000\r\n\r\n',
    'rtsp/1.0 200 OK\r\n\r\n',
    '\x15\x03\x01\x00\x02',
    '\xff',
    'x'.repeat(100),
    'OPTIONS * RTSP/1.0\r\n\r\n',
  ])('reports at once that %j is not RTSP', (text) => {
    expect(seen(read(text))).toBe('not_rtsp')
  })

  it('reads at most 64 KiB', () => {
    const endless = `RTSP/1.0 200 OK\r\n${'X-Mais: 1\r\n'.repeat(8000)}`
    expect(seen(read(endless, { size: 1400 }))).toBe('overlong')
    expect(seen(read('\r\n'.repeat(40_000), { size: 1400 }))).toBe('overlong')
    expect(seen(read(`$\x00\xff\xff${'x'.repeat(70_000)}`, { size: 1400 }))).toBe('overlong')
    const body = read(`RTSP/1.0 200 OK\r\nContent-Length: 999999999\r\n\r\n${'x'.repeat(80_000)}`, { size: 1400 })
    expect(body).toMatchObject({ kind: 'reply', reply: { status: 200 } })
    expect(body.kind === 'reply' && body.reply.body.length).toBeLessThan(65_536)
    // Replies to other requests count toward the limit too.
    expect(seen(read(ok.replace('CSeq: 2', 'CSeq: 1').repeat(2000), { size: 1400 }))).toBe('overlong')
  })

  it('needs linear time when bytes arrive one by one', () => {
    // Processor time: other processes do not lengthen it.
    const before = process.cpuUsage()
    expect(seen(read(`RTSP/1.0 200 OK\r\n${'X: 1\n'.repeat(13_200)}`, { size: 1 }))).toBe('overlong')
    expect(process.cpuUsage(before).user).toBeLessThan(1.2e6)
  })
})
