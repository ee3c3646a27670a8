import { expect, it } from 'vitest'
import { isSameStream, knownStreams, streamKey } from './known-streams.ts'

it.each([
  ['rtsp://ana:senha@10.0.0.9/a?b=1', 'rtsp://10.0.0.9:554/a?b=1'],
  ['rtsp://bia@10.0.0.9:554/a?b=1', 'rtsp://10.0.0.9:554/a?b=1'],
  ['rtsp://ana:****@012.0.0.011/a', 'rtsp://10.0.0.9:554/a'],
  ['rtsp://ana:s@nha/x@10.0.0.9:8554/a', 'rtsp://10.0.0.9:8554/a'],
  ['rtsps://DVR.Loja./a', 'rtsps://dvr.loja:322/a'],
  ['rtsp://ana:1@[2001:db8:0::1]:8554/a', 'rtsp://2001:db8::1:8554/a'],
])('normalizes %s to the stream %s', (url, key) => {
  expect(streamKey(url)).toBe(key)
})

it('distinguishes streams by path case, port and scheme', () => {
  const urls = ['rtsp://10.0.0.9/a', 'rtsp://10.0.0.9/A', 'rtsp://10.0.0.9:555/a', 'rtsps://10.0.0.9/a']
  expect(new Set(urls.map(streamKey)).size).toBe(4)
})

it('omits the password of the XM template', () => {
  const xm = (senha: string) => `rtsp://10.0.0.9:554/user=ana&password=${senha}&channel=1&stream=0.sdp?real_stream`
  expect(streamKey(xm('um'))).toBe(streamKey(xm('outro')))
})

it('distinguishes the same address with the same login from another one', () => {
  const own = 'rtsp://ana:s%40@dvr.loja:554/a?b=1'
  for (const same of [own, 'RTSP://ana:s%40@DVR.loja./a?b=1', 'rtsp://ana:s@@dvr.loja/a?b=1'])
    expect([same, isSameStream(own, same)]).toEqual([same, true])
  for (const other of [
    'ana:s%40@dvr.loja:555/a?b=1',
    'ana:S%40@dvr.loja/a?b=1',
    'dvr.loja/a?b=1',
    'ana:s%40@dvr.loja/A?b=1',
  ])
    expect([other, isSameStream(own, `rtsp://${other}`)]).toEqual([other, false])
  const xm = (senha: string) => `rtsp://10.0.0.9/user=ana&password=${senha}&channel=1&stream=0.sdp`
  expect(isSameStream(xm('um'), xm('outro'))).toBe(false)
})

it('finds a canal by gravador first, then by address', () => {
  const stream = (id: number, gravador_id: number | null, canal: number | null, rtsp_url: string) => ({
    id,
    nome: `C${id}`,
    gravador_id,
    canal,
    rtsp_url,
  })
  const streams = [
    stream(1, 7, 1, 'rtsp://10.0.0.9/1'),
    stream(2, 8, 2, 'rtsp://10.0.0.8/2'),
    stream(3, null, null, 'rtsp://10.0.0.9/3'),
  ]
  const known = knownStreams(streams, 7)
  expect(known.find(1, 'rtsp://10.0.0.9/outra')?.id).toBe(1)
  expect(known.find(2, 'rtsp://10.0.0.9/2')).toBeUndefined()
  expect(known.find(3, 'rtsp://ana:x@10.0.0.9/3')?.id).toBe(3)
  expect(knownStreams(streams, null).find(1, 'rtsp://10.0.0.9/outra')).toBeUndefined()
})
