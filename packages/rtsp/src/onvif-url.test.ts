import { rtspUrlSchema } from '@vigia/contracts/cameras'
import { canalOnvifSchema } from '@vigia/contracts/canais-sondados'
import { describe, expect, it } from 'vitest'
import { fluxoOf, movedUrl, onvifUrl } from './onvif-url.ts'

describe('fluxoOf', () => {
  it.each([
    ['rtsp://192.0.2.1:8554/a/b?c=1&d=2', 8554, '/a/b?c=1&d=2'],
    ['RTSP://x/live', 554, '/live'],
    ['rtsp://x', 554, '/'],
    ['rtsp://x:555?profile=1', 555, '/?profile=1'],
    ['rtsp://admin:s3nha@[fe80::1%25eth0]:554/1#t=3', 554, '/1'],
    [
      ' rtsp://x/user=a_password=b_channel=1_stream=0.sdp?real_stream\n',
      554,
      '/user=a_password=b_channel=1_stream=0.sdp?real_stream',
    ],
    ['rtsp://x/a@b/c', 554, '/a%40b/c'],
    ['rtsp://:554/a', 554, '/a'],
    ['rtsp://x/{pass}/{channel}', 554, '/{pass}/{channel}'],
  ])('reads port and path of %s', (url, porta, caminho) => {
    expect(fluxoOf(url)).toEqual({ porta, caminho })
    expect(canalOnvifSchema.shape.principal.safeParse(fluxoOf(url)).success).toBe(true)
  })

  it.each([
    '',
    'http://x/a',
    'rtsps://x/a',
    'rtsp:/x',
    'rtsp://x:0/a',
    'rtsp://x:70000/a',
    'rtsp://x:5 5/a',
    'rtsp://x/a b',
    'rtsp://x/a\r\nCSeq: 1',
    'rtsp://x/é',
    `rtsp://x/${'a'.repeat(512)}`,
    `rtsp://${'x'.repeat(4_000_000)}`,
  ])('returns null for address %#', (url) => {
    expect(fluxoOf(url)).toBeNull()
  })
})

const device = { host: '127.0.0.9', usuario: 'ana', senha: 's3nh@:/ç' }

it('builds the URL from the host and the credentials of the caller', () => {
  const url = onvifUrl({ porta: 8554, caminho: '/{pass}/1?a=b' }, device)
  expect(url).toBe('rtsp://ana:s3nh%40%3A%2F%C3%A7@127.0.0.9:8554/{pass}/1?a=b')
  expect(rtspUrlSchema.safeParse(url).success).toBe(true)
})

it('keeps port and path when the device has another host', () => {
  const url = onvifUrl({ porta: 8554, caminho: '/1?a=b' }, device)
  expect(movedUrl(url, { host: '2001:db8::1', usuario: 'bia', senha: '' })).toBe('rtsp://bia@[2001:db8::1]:8554/1?a=b')
  expect(movedUrl(movedUrl(url, { ...device, usuario: '' }), device)).toBe(url)
})
