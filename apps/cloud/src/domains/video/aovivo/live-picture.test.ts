import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { expect, it } from 'vitest'
import { isLivePicture, TILE_PX, VIEW_PX } from './live-picture.ts'

/** A JPEG that declares this size. */
function picture(width: number, height: number, bytes: number): Buffer {
  const jpeg = blankJpeg(bytes, 'x')
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(height, frame + 5)
  jpeg.writeUInt16BE(width, frame + 7)
  return jpeg
}

it('accepts a live picture of the size that was asked for, and refuses a larger one', () => {
  const large = picture(VIEW_PX, 720, 60_000)
  expect([isLivePicture(large, VIEW_PX), isLivePicture(large, TILE_PX)]).toEqual([true, false])
  expect(isLivePicture(Buffer.from('<html>'), VIEW_PX)).toBe(false)
})

it('refuses a live picture with more bytes than its pixels need', () => {
  expect(isLivePicture(picture(64, 48, 22_000), TILE_PX)).toBe(true)
  expect(isLivePicture(picture(64, 48, 23_000), TILE_PX)).toBe(false)
})
