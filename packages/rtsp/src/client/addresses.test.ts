import { describe, expect, it } from 'vitest'
import { baseUrl, readChannels, readSession, resolveControl, sessionUrls } from './addresses.ts'

describe('resolveControl', () => {
  it.each([
    ['rtsp://h/s/', 'trackID=0', 'rtsp://h/s/trackID=0'],
    ['rtsp://h/s', 'trackID=0', 'rtsp://h/s/trackID=0'],
    // Dahua, Intelbras: the base includes the query.
    [
      'rtsp://h/cam/realmonitor?channel=1&subtype=0/',
      'trackID=0',
      'rtsp://h/cam/realmonitor?channel=1&subtype=0/trackID=0',
    ],
    // Hikvision: absolute.
    [
      'rtsp://h/a/',
      'rtsp://10.0.0.2:554/Streaming/Channels/101/trackID=1',
      'rtsp://10.0.0.2:554/Streaming/Channels/101/trackID=1',
    ],
    ['rtsp://h/a/', '/track1', 'rtsp://h/a/track1'],
    ['rtsp://h/a/', '?ctype=video', 'rtsp://h/a/?ctype=video'],
    ['rtsp://h/a', '?ctype=video', 'rtsp://h/a?ctype=video'],
    ['rtsp://h/a/', '*', 'rtsp://h/a/'],
    ['rtsp://h/a/', null, 'rtsp://h/a/'],
    ['rtsp://h/a/', 'rtsp://u:p@h/a/t', 'rtsp://h/a/t'],
    ['rtsp://h/a/', 'x\r\nPLAY y', 'rtsp://h/a/'],
    ['rtsp://h/a/', 'y'.repeat(3000), 'rtsp://h/a/'],
  ])('%s and %j', (base, control, expected) => {
    expect(resolveControl(base, control)).toBe(expected)
  })
})

it('takes the base from Content-Base, Content-Location or the request', () => {
  const base = (...headers: [string, string[]][]) => baseUrl('rtsp://h/a?b', new Map(headers))
  expect(base(['content-base', ['rtsp://u:p@h/c/']], ['content-location', ['rtsp://h/l/']])).toBe('rtsp://h/c/')
  expect(base(['content-location', ['rtsp://h/l/']])).toBe('rtsp://h/l/')
  expect(base(['content-base', ['http://h/']])).toBe('rtsp://h/a?b')
  expect(base()).toBe('rtsp://h/a?b')
})

it('lists the URL of the request first when the base lacks its query', () => {
  expect(sessionUrls('rtsp://h/a', 'rtsp://h/a/', 'rtsp://h/a/t')).toEqual([
    'rtsp://h/a/',
    'rtsp://h/a',
    'rtsp://h/a/t',
  ])
  expect(sessionUrls('rtsp://h/a?s=1', 'rtsp://h/a/', 'rtsp://h/a/t')[0]).toBe('rtsp://h/a?s=1')
})

it('reads the channels chosen by the server', () => {
  expect(readChannels('RTP/AVP/TCP;unicast;interleaved=2-3;ssrc=1')).toEqual({ rtp: 2, rtcp: 3 })
  expect(readChannels('RTP/AVP/TCP;interleaved = 4')).toEqual({ rtp: 4, rtcp: 5 })
  for (const none of [undefined, '', 'interleaved=300-301', 'RTP/AVP;client_port=1-2'])
    expect(readChannels(none)).toEqual({ rtp: 0, rtcp: 1 })
})

it('reads the session and its time-out', () => {
  expect(readSession('12;timeout=30')).toEqual({ id: '12', timeoutS: 30 })
  expect(readSession(' a b ; Timeout = 5')).toBeNull()
  expect(readSession('x; TIMEOUT=0')).toEqual({ id: 'x', timeoutS: 1 })
  expect(readSession('x')).toEqual({ id: 'x', timeoutS: 60 })
  for (const none of [undefined, '', ';timeout=3', 'y'.repeat(300)]) expect(readSession(none)).toBeNull()
})
