import { expect, it } from 'vitest'
import { readRtspUrl, withEncodedLogin } from './rtsp-url.ts'

it.each([
  ['admin:100%certo', 'admin', '100%certo'],
  ['admin:100%certo%40casa', 'admin', '100%certo@casa'],
  ['admin:%', 'admin', '%'],
  ['admin:a%2', 'admin', 'a%2'],
  ['admin:%zz', 'admin', '%zz'],
  ['admin:50%25', 'admin', '50%'],
  ['admin:p@ss', 'admin', 'p@ss'],
  ['ad%3Amin:a:b', 'ad:min', 'a:b'],
  ['admin', 'admin', ''],
])('both clients send the login that a person typed: %s', (userinfo, usuario, senha) => {
  const url = `rtsp://${userinfo}@10.0.0.9:554/cam/realmonitor?channel=1&x=@`
  expect(readRtspUrl(url).credentials).toEqual({ usuario, senha })
  const encoded = withEncodedLogin(url)
  expect(readRtspUrl(encoded)).toEqual(readRtspUrl(url))
  // FFmpeg decodes each escape byte by byte, also a bare percent sign with two hex digits behind it.
  const [, login = ''] = /^rtsp:\/\/(.*)@10\./.exec(encoded) ?? []
  expect(login.split(':').map(decodeURIComponent)).toEqual(userinfo.includes(':') ? [usuario, senha] : [usuario])
})

it.each(['rtsp://10.0.0.9/x', 'rtsp://10.0.0.9/a@b', 'rtsp://', ''])('leaves %j without a login unchanged', (url) => {
  expect(withEncodedLogin(url)).toBe(url)
})
