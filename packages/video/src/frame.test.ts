import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cropPixels, type VideoFrame } from './frame.ts'
import { createStreamReader } from './stream-reader.ts'
import { decodeJpeg, meanDifference } from './test-peer/decode-jpeg.ts'
import { fixture } from './test-peer/footage.ts'

/** Keeps the first frame of a file valid until `done` is called. */
async function firstFrame(name: string): Promise<{ frame: VideoFrame; done: () => Promise<void> }> {
  const stop = new AbortController()
  const held = Promise.withResolvers<void>()
  const got = Promise.withResolvers<VideoFrame>()
  const run = createStreamReader({ url: fileURLToPath(fixture(name)) }).run(
    {
      onInfo: () => {},
      onFrame: async (frame) => {
        got.resolve(frame)
        await held.promise
      },
    },
    stop.signal,
  )
  const frame = await got.promise
  return {
    frame,
    done: async () => {
      stop.abort()
      held.resolve()
      await run
    },
  }
}

const rgbOf = (frame: VideoFrame): Promise<Buffer> => frame.toPacked('rgb', frame.width, frame.height)

/** Luma of packed RGB by BT.601. */
function luma(rgb: Buffer): Buffer {
  const gray = Buffer.alloc(rgb.length / 3)
  for (let i = 0; i < gray.length; i++) {
    gray[i] = Math.round(0.299 * (rgb[i * 3] ?? 0) + 0.587 * (rgb[i * 3 + 1] ?? 0) + 0.114 * (rgb[i * 3 + 2] ?? 0))
  }
  return gray
}

/** Standard deviation of the luma. */
function contrast(rgb: Buffer): number {
  const gray = luma(rgb)
  const mean = gray.reduce((sum, value) => sum + value, 0) / gray.length
  return Math.sqrt(gray.reduce((sum, value) => sum + (value - mean) ** 2, 0) / gray.length)
}

describe.each(['h264.264', 'h265.265', 'full-range-odd.mp4'])('a frame of %s', (name) => {
  let frame: VideoFrame
  let done: () => Promise<void>
  beforeEach(async () => {
    ;({ frame, done } = await firstFrame(name))
  })
  afterEach(() => done())

  it('returns packed rows in every format and size', async () => {
    const { width, height } = frame
    const rgb = await rgbOf(frame)
    const bgr = await frame.toPacked('bgr', width, height)
    const gray = await frame.toPacked('gray', width, height)
    expect([rgb.length, bgr.length, gray.length]).toEqual([width * height * 3, width * height * 3, width * height])
    expect([bgr[0], bgr[1], bgr[2]]).toEqual([rgb[2], rgb[1], rgb[0]])
    expect(meanDifference(gray, luma(rgb))).toBeLessThan(3)
    expect(await frame.toPacked('gray', 33, 17)).toHaveLength(33 * 17)
    expect(await frame.toPacked('rgb', 416, 416)).toHaveLength(416 * 416 * 3)
  })

  it('returns a JPEG of the same colours', async () => {
    const picture = await decodeJpeg(await frame.toJpeg({ quality: 95 }))
    expect([picture.width, picture.height]).toEqual([frame.width, frame.height])
    const rgb = await rgbOf(frame)
    expect(meanDifference(luma(picture.pixels), luma(rgb))).toBeLessThan(4)
    // A wrong colour range would change the contrast by a seventh.
    expect(Math.abs(contrast(picture.pixels) / contrast(rgb) - 1)).toBeLessThan(0.05)
  })

  it('cuts the crop at the right position', async () => {
    const { width, height } = frame
    const crop = { x: 0.25, y: 0.5, w: 0.5, h: 0.25 }
    const picture = await decodeJpeg(await frame.toJpeg({ crop, quality: 95 }))
    const box = cropPixels(crop, width, height)
    expect([picture.width, picture.height]).toEqual([box.width, box.height])
    const rgb = await rgbOf(frame)
    const rows = Array.from({ length: box.height }, (_, y) => {
      const from = ((box.y + y) * width + box.x) * 3
      return rgb.subarray(from, from + box.width * 3)
    })
    expect(meanDifference(luma(picture.pixels), luma(Buffer.concat(rows)))).toBeLessThan(6)
    const packed = await frame.toPacked('rgb', box.width, box.height, crop)
    expect(meanDifference(packed, Buffer.concat(rows))).toBeLessThan(3)
    expect(Math.abs(contrast(packed) / contrast(Buffer.concat(rows)) - 1)).toBeLessThan(0.05)
  })

  it('cuts a crop of odd size at an odd position', async () => {
    const { width, height } = frame
    const crop = { x: 11 / width, y: 7 / height, w: 33 / width, h: 21 / height }
    expect(cropPixels(crop, width, height)).toEqual({ x: 11, y: 7, width: 33, height: 21 })
    const rgb = await rgbOf(frame)
    const rows = Array.from({ length: 21 }, (_, y) =>
      rgb.subarray(((7 + y) * width + 11) * 3, ((7 + y) * width + 44) * 3),
    )
    const packed = await frame.toPacked('rgb', 33, 21, crop)
    expect(meanDifference(luma(packed), luma(Buffer.concat(rows)))).toBeLessThan(4)
  })

  it('keeps the aspect ratio when it scales down and never scales up', async () => {
    const small = await decodeJpeg(await frame.toJpeg({ maxWidth: 40 }))
    expect([small.width, small.height]).toEqual([40, 30])
    const large = await decodeJpeg(await frame.toJpeg({ maxWidth: 4000 }))
    expect(large.width).toBe(frame.width)
  })

  it('returns smaller JPEGs for lower quality', async () => {
    const sizes = await Promise.all([5, 50, 95].map(async (quality) => (await frame.toJpeg({ quality })).length))
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(sizes[0]).toBeLessThan(sizes[2] ?? 0)
  })

  it('rejects impossible sizes', async () => {
    for (const width of [0, -1, 1.5, Number.NaN, 1e9]) {
      await expect(frame.toPacked('rgb', width, 10)).rejects.toThrow(RangeError)
    }
    await expect(frame.toJpeg({ crop: { x: Number.NaN, y: 0, w: 1, h: 1 } })).rejects.toThrow(RangeError)
  })
})

describe('the life of a frame', () => {
  it('ends with its handler, but only after pending work', async () => {
    const { frame, done } = await firstFrame('h264.264')
    const underWay = frame.toJpeg()
    await done()
    expect((await decodeJpeg(await underWay)).width).toBe(160)
    await expect(frame.toJpeg()).rejects.toThrow('after its handler settled')
    await expect(frame.toPacked('gray', 8, 8)).rejects.toThrow('after its handler settled')
    expect(() => frame.retain()).toThrow('after its handler settled')
  })

  it('continues after `retain`, with the same pixels, until `release`', async () => {
    const { frame, done } = await firstFrame('h264.264')
    const pixels = await rgbOf(frame)
    const held = frame.retain()
    const twice = held.frame.retain()
    await done()
    expect(held.frame.timestampMs).toBe(frame.timestampMs)
    expect((await rgbOf(held.frame)).equals(pixels)).toBe(true)
    const underWay = held.frame.toJpeg()
    await held.release()
    expect((await decodeJpeg(await underWay)).width).toBe(160)
    await expect(rgbOf(held.frame)).rejects.toThrow('after its handler settled')
    expect((await rgbOf(twice.frame)).equals(pixels)).toBe(true)
    await twice.release()
    await twice.release()
  })
})

describe('cropPixels', () => {
  it('covers the crop and stays inside the frame', () => {
    expect(cropPixels({ x: 0, y: 0, w: 1, h: 1 }, 161, 121)).toEqual({ x: 0, y: 0, width: 161, height: 121 })
    expect(cropPixels({ x: 0.5, y: 0.5, w: 0.9, h: 0.9 }, 100, 50)).toEqual({ x: 50, y: 25, width: 50, height: 25 })
    expect(cropPixels({ x: -0.2, y: -1, w: 0.4, h: 1.5 }, 100, 50)).toEqual({ x: 0, y: 0, width: 20, height: 25 })
  })

  it('is never smaller than a few pixels, at any position', () => {
    for (const at of [-3, 0, 0.5, 0.999, 1, 7]) {
      const box = cropPixels({ x: at, y: at, w: 0, h: -1 }, 100, 6)
      expect(box.width).toBe(8)
      expect(box.height).toBe(6)
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(100)
    }
  })
})
