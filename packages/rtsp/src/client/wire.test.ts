import { describe, expect, it } from 'vitest'
import { createWireReader } from './wire.ts'

/** Returns all messages and frames in the bytes as text. */
function read(bytes: Buffer, chunkBytes: number): string[] {
  const found: string[] = []
  const reader = createWireReader({
    onFrame: (channel, data, start, end) => found.push(`${channel}:${data.toString('latin1', start, end)}`),
    onReply: ({ status, headers, body }) => found.push(`${status} ${headers.get('cseq')} ${body}`),
    onRequest: ({ method, cseq }) => found.push(`${method} ${cseq}`),
    onForeign: () => found.push('foreign'),
  })
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes))
  return found
}

const reply = (cseq: number, body = '', end = '\r\n') =>
  Buffer.from(['RTSP/1.0 200 OK', `CSeq: ${cseq}`, `Content-Length: ${body.length}`, '', body].join(end))
const frame = (channel: number, data: string | Buffer) => {
  const bytes = Buffer.from(data)
  return Buffer.concat([Buffer.from([0x24, channel, bytes.length >> 8, bytes.length & 255]), bytes])
}
const rtp = Buffer.concat([Buffer.from([0x80, 96]), Buffer.alloc(20)])
const large = 'x'.repeat(65_535)

describe('createWireReader', () => {
  const whole = Buffer.concat([
    reply(1),
    frame(0, 'a'),
    Buffer.from('\r\n'),
    frame(1, ''),
    reply(2, 'a body', '\n'),
    frame(0, large),
    Buffer.from('GET_PARAMETER rtsp://h/ RTSP/1.0\r\nCSeq: 9\r\n\r\n'),
    frame(255, 'end'),
  ])
  const expected = ['200 1 ', '0:a', '1:', '200 2 a body', `0:${large}`, 'GET_PARAMETER 9', '255:end']

  it.each([1, 2, 3, 5, 7, 1000, 65_536, 200_000])('finds every message in chunks of %i bytes', (chunkBytes) => {
    expect(read(whole, chunkBytes)).toEqual(expected)
  })

  it.each([1, 4, 1000])('skips stray bytes up to the next packet, in chunks of %i', (chunkBytes) => {
    // A `$` that no RTP version follows is a stray byte, too.
    const stray = Buffer.from([0xff, 0x24, 0, 0, 9, 1, 0x52, 0x54, 0x53, 0x00])
    const bytes = Buffer.concat([reply(1), stray, frame(0, rtp), frame(0, 'b')])
    expect(read(bytes, chunkBytes)).toEqual(['200 1 ', `0:${rtp.toString('latin1')}`, '0:b'])
  })

  it.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-x\r\n', '\x16\x03\x01', 'RTSP/2.0 200 OK\r\n\r\n'])(
    'reports a connection that speaks another protocol: %j',
    (text) => {
      expect(read(Buffer.from(text, 'latin1'), 1)).toEqual(['foreign'])
    },
  )

  it('refuses endless headers and an announced body above the message limit', () => {
    const endless = Buffer.from(`RTSP/1.0 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`)
    const huge = Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 2\r\nContent-Length: 100000000\r\n\r\n')
    for (const bad of [endless, huge])
      expect(read(Buffer.concat([reply(1), bad, frame(0, rtp), reply(3)]), 1000)).toEqual([
        '200 1 ',
        `0:${rtp.toString('latin1')}`,
        '200 3 ',
      ])
  })
})
