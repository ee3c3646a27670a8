import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSource } from './source.ts'

describe('parseSource', () => {
  it('accepts rtsp and rtsps with their default ports', () => {
    expect(parseSource('rtsp://cam/x')).toMatchObject({ kind: 'rtsp', host: 'cam', port: 554, tls: false })
    expect(parseSource('RTSPS://cam/x')).toMatchObject({ kind: 'rtsp', port: 322, tls: true })
    expect(parseSource('rtsp://u:p%40@10.0.0.2:5554/Streaming/Channels/102')).toMatchObject({
      host: '10.0.0.2',
      port: 5554,
    })
    expect(parseSource('rtsp://[fd00::1]:554/x')).toMatchObject({ host: 'fd00::1' })
    expect(parseSource('rtsp://10.0.0.2:554/user=admin&password=&channel=1&stream=1.sdp?')).not.toBeNull()
  })

  it('accepts a path and makes it absolute', () => {
    expect(parseSource('clips/a.mp4')).toEqual({ kind: 'file', path: resolve('clips/a.mp4') })
  })

  it.each([
    'http://127.0.0.1/x',
    'https://127.0.0.1/x',
    'file:///etc/passwd',
    'concat:/etc/passwd|/etc/shadow',
    'subfile,,start,0,end,9,,:/etc/passwd',
    'tcp://127.0.0.1:22',
    'rtp://239.0.0.1:1',
    'rtmp://127.0.0.1/x',
    'data:text/plain,x',
    'rtspu://cam/x',
    'rtsp://',
    'rtsp:///x',
    'rtsp://cam:99999/x',
    'rtsp://cam/x y',
    'rtsp://cam/x\r\nTEARDOWN rtsp://cam/',
    'a\u0000b',
    '',
  ])('refuses %j', (address) => {
    const source = parseSource(address)
    // FFmpeg's `subfile,…:` is no URL scheme: it becomes an absolute path and opens as a plain file.
    if (address.startsWith('subfile,')) expect(source).toEqual({ kind: 'file', path: resolve(address) })
    else expect(source).toBeNull()
  })
})
