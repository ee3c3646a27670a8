import { expect, it } from 'vitest'
import { deviceView, mayShareView, viewOf } from './same-view.ts'

const share = (one: string, other: string) => {
  const [a, b] = [viewOf(one), viewOf(other)]
  if (!a || !b) throw new Error('no URL')
  return mayShareView(a, b)
}
const DAHUA = 'rtsp://10.0.0.5/cam/realmonitor?channel=3&subtype=0'

it.each([
  ['other credentials', DAHUA, 'rtsp://ana:a@b@10.0.0.5/cam/realmonitor?channel=3&subtype=0'],
  ['the substream', DAHUA, 'rtsp://10.0.0.5/cam/realmonitor?channel=3&subtype=1'],
  ['another port than the default one', DAHUA, 'rtsp://10.0.0.5:8554/cam/realmonitor?channel=3&subtype=0'],
  ['TLS', DAHUA, 'rtsps://10.0.0.5/cam/realmonitor?channel=3&subtype=0'],
  ['another spelling of the host', DAHUA, 'rtsp://0x0a000005/cam/realmonitor?channel=3&subtype=0'],
  ['another parameter', DAHUA, 'rtsp://10.0.0.5/cam/realmonitor?channel=3&subtype=0&x=1'],
  ['a parameter that occurs twice', DAHUA, 'rtsp://10.0.0.5/cam/realmonitor?channel=4&subtype=0&channel=3'],
  ['an encoded parameter', DAHUA, 'rtsp://10.0.0.5/cam/realmonitor?c%68annel=3&subtype=0'],
  ['a form of another maker', DAHUA, 'rtsp://10.0.0.5/Streaming/Channels/302'],
  ['an unknown form of the same device', DAHUA, 'rtsp://10.0.0.5/outra'],
  ['main and sub of an unknown form', 'rtsp://10.0.0.5/sala/main', 'rtsp://10.0.0.5/sala/sub/'],
  ['an encoded path', 'rtsp://10.0.0.5/sala', 'rtsp://10.0.0.5/s%61la'],
  ['other names of parameters', 'rtsp://10.0.0.5/v?ch=1', 'rtsp://10.0.0.5/v?ch=2&c=1'],
])('%s may show the same picture', (_name, one, other) => {
  expect([share(one, other), share(other, one)]).toEqual([true, true])
})

it.each([
  ['another channel', DAHUA, 'rtsp://10.0.0.5/cam/realmonitor?channel=4&subtype=0'],
  ['another device', DAHUA, 'rtsp://10.0.0.6/cam/realmonitor?channel=3&subtype=0'],
  ['another port of a shared address', 'rtsp://dvr.exemplo.com.br:5541/sala', 'rtsp://dvr.exemplo.com.br:5542/sala'],
  ['another path', 'rtsp://10.0.0.5/sala', 'rtsp://10.0.0.5/pateo'],
  ['another value of an unknown form', 'rtsp://10.0.0.5/v?ch=1', 'rtsp://10.0.0.5/v?ch=2'],
])('%s is another picture', (_name, one, other) => {
  expect([share(one, other), share(other, one)]).toEqual([false, false])
})

it('a device shows all its pictures', () => {
  const masked = viewOf('rtsp://10.0.0.5:8554/sala')
  expect(masked && mayShareView(deviceView('10.0.0.5'), masked)).toBe(true)
  expect(masked && mayShareView(deviceView('10.0.0.6'), masked)).toBe(false)
})
