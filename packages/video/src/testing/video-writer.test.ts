import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createStreamReader, type StreamInfo } from '../stream-reader.ts'
import { meanDifference } from '../test-peer/decode-jpeg.ts'
import { openStill } from './still.ts'
import { createVideoWriter } from './video-writer.ts'

const [width, height] = [160, 90]
/** A bright square that moves over a shaded background. */
const drawn = (index: number): Buffer => {
  const rgb = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = Math.abs(x - 20 - index * 4) < 10 && Math.abs(y - 45) < 10
      rgb.fill(inside ? 230 : 40 + (x >> 2), (y * width + x) * 3, (y * width + x) * 3 + 3)
    }
  }
  return rgb
}

it('writes a file that the reader decodes to the same pictures at the same times', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-writer-'))
  const path = join(folder, 'clip.mkv')
  const writer = await createVideoWriter({ path, width, height, fps: 10, bitRate: 400_000 })
  for (let index = 0; index < 25; index++) await writer.write(drawn(index), index * 100)
  await writer.close()
  const seen: { info: StreamInfo | null; times: number[]; differences: number[] } = {
    info: null,
    times: [],
    differences: [],
  }
  const end = await createStreamReader({ url: path }).run(
    {
      onInfo: (info) => {
        seen.info = info
      },
      async onFrame(frame) {
        seen.differences.push(meanDifference(await frame.toPacked('rgb', width, height), drawn(seen.times.length)))
        seen.times.push(frame.timestampMs)
      },
    },
    new AbortController().signal,
  )
  expect(end).toBe('end')
  expect(seen.info).toMatchObject({ codec: 'h264', width, height })
  expect(seen.times).toEqual(Array.from({ length: 25 }, (_, index) => index * 100))
  expect(Math.max(...seen.differences)).toBeLessThan(12)
  await rm(folder, { recursive: true })
})

it('keeps the given bit rate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-writer-'))
  const path = join(folder, 'clip.mkv')
  const pictures = Array.from({ length: 30 }, (_, index) =>
    drawn(index).map((value, at) => value + (Math.imul(at + index * 7919, 2654435761) >>> 28)),
  )
  const sizeAt = async (bitRate: number) => {
    const writer = await createVideoWriter({ path, width, height, fps: 10, bitRate })
    for (const [index, picture] of pictures.entries()) await writer.write(Buffer.from(picture), index * 100)
    await writer.close()
    return (await stat(path)).size
  }
  const [low, high] = [await sizeAt(20_000), await sizeAt(800_000)]
  expect(high).toBeGreaterThan(4 * low)
  await rm(folder, { recursive: true })
})

it('opens a still picture as a frame and returns null for other data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-still-'))
  const path = join(folder, 'clip.mkv')
  const writer = await createVideoWriter({ path, width, height, fps: 10, bitRate: 400_000 })
  for (let index = 0; index < 2; index++) await writer.write(drawn(index), index * 100)
  await writer.close()
  let jpeg: Buffer = Buffer.alloc(0)
  await createStreamReader({ url: path, maxFps: 1 }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        jpeg = await frame.toJpeg({ quality: 95 })
      },
    },
    new AbortController().signal,
  )
  await rm(folder, { recursive: true })
  const still = await openStill(jpeg)
  expect(still?.frame).toMatchObject({ width, height, timestampMs: 0 })
  const pixels = await still?.frame.toPacked('rgb', width, height)
  expect(meanDifference(pixels ?? Buffer.alloc(0), drawn(0))).toBeLessThan(12)
  await still?.release()
  expect(await openStill(Buffer.from('not a picture'))).toBeNull()
  expect(await openStill(jpeg.subarray(0, 30))).toBeNull()
})
