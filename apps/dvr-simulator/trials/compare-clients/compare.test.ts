import { expect, it } from 'vitest'
import { OWN_TEXTS } from './carry-out.ts'
import { compareTexts } from './compare-texts.ts'

it('finds the same video in each text with both clients, or names the cause', async () => {
  const compared = await compareTexts(OWN_TEXTS)
  const of = (verdict: string) => compared.filter((one) => one.verdict === verdict).map(({ file }) => file)
  expect(compared.filter(({ isDefect }) => isDefect)).toEqual([])
  expect(of('FFmpeg better')).toEqual(['jpeg.sdp', 'mpeg4.sdp'])
  expect(of('own better')).toEqual(['dimensions.sdp'])
  expect(of('other address')).toEqual([
    'base-without-scheme.txt',
    'content-location.txt',
    'control-slash.sdp',
    'control-twice.sdp',
  ])
  expect(of('both refuse')).toEqual([
    'audio-only.sdp',
    'empty.sdp',
    'login-refused.txt',
    'moved-away.txt',
    'not-found.txt',
    'setup-refused.txt',
    'vp8.sdp',
  ])
  expect(of('equal')).toHaveLength(16)
})
