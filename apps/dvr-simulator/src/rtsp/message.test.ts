import { describe, expect, it } from 'vitest'
import { createMessageReader, formatResponse, type Incoming } from './message.ts'

const read = (...chunks: (string | Buffer)[]): Incoming[] => {
  const reader = createMessageReader()
  return chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)))
}
const kinds = (incoming: Incoming[]) => incoming.map(({ kind }) => kind)

describe('createMessageReader', () => {
  it('reads a request from chunks of any size', () => {
    const text = 'DESCRIBE rtsp://h/a?b=1 RTSP/1.0\r\nCSeq: 2\r\nAuthorization:  Digest realm="a: b"\r\n\r\n'
    for (let at = 1; at < text.length; at++) {
      const [found] = read(text.slice(0, at), text.slice(at))
      expect(found?.kind === 'request' && [found.request.method, found.request.uri]).toEqual([
        'DESCRIBE',
        'rtsp://h/a?b=1',
      ])
      expect(found?.kind === 'request' && found.request.headers.get('authorization')).toBe('Digest realm="a: b"')
    }
    expect(kinds(read(...text))).toEqual(['request'])
  })

  it('reads requests with bodies, packets and empty lines in one chunk', () => {
    const packet = Buffer.from([0x24, 1, 0, 3, 0x24, 0x0d, 0x0a])
    const body = 'GET_PARAMETER * RTSP/1.0\r\nContent-Length: 8\r\n\r\nposition'
    const chunk = Buffer.concat([packet, Buffer.from(`\r\n${body}`), packet, Buffer.from('OPTIONS * RTSP/1.0\r\n\r\n')])
    expect(kinds(read(chunk))).toEqual(['interleaved', 'request', 'interleaved', 'request'])
    expect(kinds(read(...[...chunk].map((byte) => Buffer.from([byte]))))).toEqual([
      'interleaved',
      'request',
      'interleaved',
      'request',
    ])
  })

  it.each([
    'GET / HTTP/1.1\r\n\r\n',
    '\x16\x03\x01\x02\0',
    'OPTIONS *\r\n\r\n',
    'OPTIONS * RTSP/1.0\r\nsem dois pontos\r\n\r\n',
    'OPTIONS * RTSP/1.0\r\nContent-Length: -1\r\n\r\n',
    'OPTIONS * RTSP/1.0\r\nContent-Length: 99999999\r\n\r\n',
    'OPTIONS * RTSP/1.0\r\nContent-Length: x\r\n\r\n',
    `OPTIONS ${'a'.repeat(20_000)}`,
    'describe rtsp://h RTSP/1.0\r\n\r\n',
  ])('refuses %j and everything after it', (text) => {
    expect(kinds(read(text, 'OPTIONS * RTSP/1.0\r\n\r\n'))).toEqual(['invalid'])
  })
})

it('formatResponse counts the Content-Length in bytes', () => {
  expect(formatResponse({ status: 200, headers: { Session: 'a' }, body: 'ção' }, '7')).toBe(
    'RTSP/1.0 200 OK\r\nCSeq: 7\r\nServer: Vigia\r\nSession: a\r\nContent-Length: 5\r\n\r\nção',
  )
})
