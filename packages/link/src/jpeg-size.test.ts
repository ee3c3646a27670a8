import { describe, expect, it } from 'vitest'
import { jpegSize } from './jpeg-size.ts'

/** A complete JPEG of 16x12 green pixels. */
const JPEG = Buffer.from(
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBD' +
    'ARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAMABAD' +
    'ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAA' +
    'AwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCMBGJ//9k=',
  'base64',
)

const withSize = (width: number, height: number): Buffer => {
  const copy = Buffer.from(JPEG)
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(height, frame + 5)
  copy.writeUInt16BE(width, frame + 7)
  return copy
}

describe('jpegSize', () => {
  it('reads the size of a real picture', () => {
    expect(jpegSize(JPEG)).toEqual({ width: 16, height: 12 })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('<svg onload="alert(1)"/>')],
    ['the magic bytes alone', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a cut picture', JPEG.subarray(0, JPEG.length - 5)],
    ['a picture with a payload behind it', Buffer.concat([JPEG, Buffer.from('<script>')])],
    ['a picture without a size', withSize(0, 12)],
    ['a picture that would decode to gigabytes', withSize(65_535, 65_535)],
    ['a segment that runs past the end', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0xff, 0xd9])],
    ['no segments at all', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(100), Buffer.from([0xff, 0xd9])])],
  ])('refuses %s', (_what, bytes) => {
    expect(jpegSize(bytes)).toBeNull()
  })
})
