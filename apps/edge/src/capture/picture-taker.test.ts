import { fileURLToPath } from 'node:url'
import { jpegSize } from '@vigia/link/jpeg-size'
import { createStreamReader, type JpegOptions, type VideoFrame } from '@vigia/video/stream-reader'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import type { Picture } from './model.ts'
import { createPictureTaker } from './picture-taker.ts'

/** Footage of the recorder simulator. */
const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-principal.mp4', import.meta.url))
const log = pino({ level: 'silent' })

const whole = (waitMs: number) => ({ waitMs, maxSide: null })

/** Passes the first `count` frames of the footage, one at a time. */
async function play(count: number, onFrame: (frame: VideoFrame, index: number) => Promise<void>) {
  const stop = new AbortController()
  let index = 0
  const each = async (frame: VideoFrame) => {
    if (index === count) stop.abort()
    else await onFrame(frame, index++)
  }
  await createStreamReader({ url: footage, maxFps: 5 }).run({ onInfo: () => {}, onFrame: each }, stop.signal)
}

describe('a picture', () => {
  it('is the next frame after the request, in decoded size', async () => {
    const taker = createPictureTaker({ cameraId: 1, log })
    const sizes: object[] = []
    const expected: Buffer[] = []
    let earlier = Promise.resolve<Picture | null>(null)
    let asked = earlier
    await play(4, async (frame, index) => {
      sizes.push({ width: frame.width, height: frame.height })
      expected.push(await frame.toJpeg({ quality: 85 }))
      if (index === 1) earlier = taker.take(whole(60_000))
      const dealing = taker.frame(frame)
      // Another request arrives while the previous frame is encoded for the first caller.
      if (index === 1) asked = taker.take(whole(60_000))
      await dealing
    })
    expect((await earlier)?.jpeg.equals(expected[1] ?? Buffer.alloc(0))).toBe(true)
    const picture = await asked
    if (!picture) throw new Error('no picture')
    const { jpeg, ...size } = picture
    expect(size).toEqual(sizes[2])
    expect(jpegSize(jpeg)).toEqual(sizes[2])
    expect(jpeg.equals(expected[2] ?? Buffer.alloc(0))).toBe(true)
    expect(jpeg.equals(expected[1] ?? jpeg)).toBe(false)
  })

  it('is the last decoded frame for up to 1 s, if the request allows it', async () => {
    let time = 0
    const taker = createPictureTaker({ cameraId: 1, log, now: () => time })
    const expected: Buffer[] = []
    await play(2, async (frame) => {
      expected.push(await frame.toJpeg({ quality: 85 }))
      await taker.frame(frame)
    })
    const recent = (maxSide: number | null) => taker.take({ waitMs: 1, maxSide, maxAgeMs: 1_000 })
    time = 999
    expect((await recent(null))?.jpeg.equals(expected[1] ?? Buffer.alloc(0))).toBe(true)
    expect((await recent(320))?.width).toBe(320)
    time = 1_000
    expect(await recent(320)).toBeNull()
    time = 0
    taker.close()
    expect(await recent(320)).toBeNull()
  })

  it('is the last picture for up to 15 s when no frame arrives', async () => {
    let time = 0
    const taker = createPictureTaker({ cameraId: 1, log, now: () => time })
    expect(await taker.take(whole(1))).toBeNull()
    await play(1, (frame) => taker.frame(frame))
    time = 14_999
    expect((await taker.take(whole(1)))?.jpeg.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    time = 15_000
    expect(await taker.take(whole(1))).toBeNull()
  })

  it('is encoded on request and otherwise every five seconds', async () => {
    let time = 0
    const taker = createPictureTaker({ cameraId: 1, log, now: () => time })
    const made: number[] = []
    await play(6, async (frame, index) => {
      time = index * 2_000
      const counted = (options?: JpegOptions) => {
        made.push(index)
        return frame.toJpeg(options)
      }
      await taker.frame({ ...frame, toJpeg: counted })
    })
    expect(made).toEqual([0, 3])
  })

  it('is reduced until it fits the link', async () => {
    await play(1, async (frame) => {
      const best = await frame.toJpeg({ quality: 85 })
      const worse = await frame.toJpeg({ quality: 60 })
      for (const [maxBytes, expected] of [
        [best.length, best],
        [best.length - 1, worse],
        [worse.length - 1, undefined],
      ] as const) {
        const taker = createPictureTaker({ cameraId: 1, log, maxBytes })
        const asked = taker.take(whole(60_000))
        await taker.frame(frame)
        const jpeg = (await asked)?.jpeg
        expect(expected ? jpeg?.equals(expected) : jpeg === undefined).toBe(true)
      }
    })
  })

  it('of a requested size is a new frame with its longer side reduced to it, never enlarged', async () => {
    const taker = createPictureTaker({ cameraId: 1, log })
    let frameSize = { width: 0, height: 0 }
    const asked: Promise<Picture | null>[] = []
    const analysed = { seen: [], moving: true }
    await play(1, async (frame) => {
      frameSize = { width: frame.width, height: frame.height }
      for (const maxSide of [320, 10_000]) asked.push(taker.take({ waitMs: 60_000, maxSide }))
      asked.push(taker.take(whole(60_000)))
      await taker.frame(frame, analysed)
    })
    const [small, large, best] = await Promise.all(asked)
    if (!small || !large || !best) throw new Error('no picture')
    const { width, height } = frameSize
    expect(small).toMatchObject(analysed)
    expect([small.width, small.height]).toEqual([320, Math.round((320 * height) / width)])
    expect(jpegSize(small.jpeg)).toEqual({ width: small.width, height: small.height })
    expect(jpegSize(large.jpeg)).toEqual(frameSize)
    expect(small.jpeg.length).toBeLessThan(large.jpeg.length)
    expect(large.jpeg.length).toBeLessThan(best.jpeg.length)
    // The full-size picture is fresh and stays reserved for requests of single pictures.
    expect(await taker.take({ waitMs: 1, maxSide: 320 })).toBeNull()
    expect(await taker.take(whole(1))).toEqual(best)
  })

  it('is null when the encoding fails, and the stream continues', async () => {
    const taker = createPictureTaker({ cameraId: 1, log })
    let frame: VideoFrame | null = null
    await play(1, async (valid) => {
      frame = valid
    })
    const asked = taker.take(whole(60_000))
    // The frame has been released to the reader.
    if (frame) await taker.frame(frame)
    expect(await asked).toBeNull()
  })

  it('resolves without a picture when the stream ends', async () => {
    const taker = createPictureTaker({ cameraId: 1, log })
    const asked = taker.take(whole(60_000))
    taker.close()
    expect(await asked).toBeNull()
  })
})
