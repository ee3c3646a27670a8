import { fabricantes } from '@vigia/contracts/fabricantes'
import { describe, expect, it } from 'vitest'
import { streamUrl } from './maker-urls.ts'
import { matchPlaybackPath, playbackTarget, playbackUrl } from './playback-urls.ts'

const at = { host: 'fd00::5', porta: 554, usuario: 'admin', senha: 'a@b%', canal: 12 }
const span = { fromMs: Date.UTC(2026, 0, 1, 3), toMs: Date.UTC(2026, 0, 1, 3, 0, 30) }
const clock = { offsetMs: 0, zoneMin: -180, zIsLocal: false }

describe('playbackUrl', () => {
  it.each([
    [
      'intelbras',
      'principal',
      '/cam/playback?channel=12&subtype=0&starttime=2026_01_01_00_00_00&endtime=2026_01_01_00_00_30',
    ],
    ['hikvision', 'sub', '/Streaming/tracks/1202?starttime=20260101T030000Z&endtime=20260101T030030Z'],
  ] as const)('%s %s', (maker, stream, path) => {
    const live = streamUrl(fabricantes[maker][stream], at)
    expect(playbackUrl(live, span, clock)).toBe(`rtsp://admin:a%40b%25@[fd00::5]:554${path}`)
    expect(matchPlaybackPath(path)).toMatchObject(playbackTarget(live) ?? {})
  })

  it('names the wall clock of a recorder whose clock is wrong', () => {
    const wrong = { offsetMs: 90_000, zoneMin: 60, zIsLocal: true }
    const url = playbackUrl(streamUrl(fabricantes.jfl.principal, at), span, wrong)
    expect(url).toContain('?starttime=20260101T040130Z&endtime=20260101T040200Z')
  })

  it('is null for a maker without a known form', () => {
    expect(playbackUrl(streamUrl(fabricantes.tplink.principal, at), span, clock)).toBeNull()
  })
})

describe('matchPlaybackPath', () => {
  it('reads lower-case letters, an absent end and further parameters', () => {
    expect(matchPlaybackPath('/Streaming/tracks/101/?starttime=20260101t030000z')).toEqual({
      form: 'hikvision',
      canal: 1,
      stream: 'principal',
      fromMs: span.fromMs,
      toMs: null,
    })
  })

  it.each([
    '/cam/playback?channel=1&subtype=0&starttime=2026_13_01_00_00_00',
    '/cam/playback?subtype=0&channel=1&starttime=2026_01_01_00_00_00',
    '/Streaming/tracks/103?starttime=20260101T030000Z',
    '/cam/realmonitor?channel=1&subtype=0',
  ])('refuses %s', (path) => {
    expect(matchPlaybackPath(path)).toBeNull()
  })
})
