import { fileURLToPath } from 'node:url'
import { AV_PIX_FMT_NV12 } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import { describe, expect, it } from 'vitest'
import { createVideoFrame } from './frame.ts'
import { createMask } from './mask.ts'
import { createStreamReader } from './stream-reader.ts'

const footage = (name: string) => fileURLToPath(new URL(`../../../apps/dvr-simulator/footage/${name}`, import.meta.url))
/** The right half. */
const HALF = [[0.5, 0, 1, 0, 1, 1, 0.5, 1]]

/** Spread of the gray values of each half. */
async function halves(pixels: Buffer, width: number): Promise<[left: number, right: number]> {
  const spread = (isRight: boolean) => {
    const values = [...pixels].filter((_, i) => i % width >= width / 2 === isRight)
    return Math.max(...values) - Math.min(...values)
  }
  return [spread(false), spread(true)]
}

describe('the pictures of a masked stream', () => {
  it.each(['campus-a-sub.mp4', 'campus-c-h265.mp4'])('are flat behind the mask (%s)', async (name) => {
    const stop = new AbortController()
    const spreads: [number, number][] = []
    await createStreamReader({ url: footage(name), mask: createMask(HALF) }).run(
      {
        onInfo: () => {},
        async onFrame(frame) {
          spreads.push(await halves(await frame.toPacked('gray', frame.width, frame.height), frame.width))
          if (spreads.length === 12) stop.abort()
        },
      },
      stop.signal,
    )
    expect(spreads).toHaveLength(12)
    // The mask must not reach the pictures from which the decoder predicts.
    for (const [left, right] of spreads) {
      expect(right).toBe(0)
      expect(left).toBeGreaterThan(100)
    }
  })

  it('are masked in a pixel format that planes do not describe', async () => {
    const [width, height] = [64, 32]
    const noise = Buffer.from(Array.from({ length: (width * height * 3) / 2 }, (_, i) => (i * 71) % 256))
    const source = Frame.fromVideoBuffer(noise, { width, height, format: AV_PIX_FMT_NV12 })
    const covered = await createMask(HALF)?.cover(source)
    source.free()
    if (!covered) throw new Error('no mask')
    const held = createVideoFrame(covered, 0)
    const [left, right] = await halves(await held.frame.toPacked('gray', width, height), width)
    await held.release()
    expect([left > 50, right]).toEqual([true, 0])
  })
})

it('has no mask without polygons', () => {
  expect(createMask([])).toBeNull()
  expect(createMask([], [])).toBeNull()
})
