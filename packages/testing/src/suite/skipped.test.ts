import { expect, it } from 'vitest'
import { describeSkipped } from './skipped.ts'

const skipped = (titles: readonly string[], note?: string) => ({ titles, note })

it('counts skipped tests by the reason in a title or a note', () => {
  const tests = [
    skipped(['rtsps (needs openssl)', 'connects']),
    skipped(['reads Matroska (needs ffmpeg)']),
    skipped(['a client (needs openssl)', 'reads (with sound)']),
    skipped(['avisos at 1280 px'], 'needs notifications'),
  ]
  expect(describeSkipped(tests)).toEqual({
    lines: ['        2  needs openssl', '        1  needs ffmpeg', '        1  needs notifications'],
    isExplained: true,
  })
})

it('names a skipped test without a reason', () => {
  expect(describeSkipped([skipped(['a disk', 'is full (now)'])])).toEqual({
    lines: ['no reason  a disk > is full (now)'],
    isExplained: false,
  })
})
