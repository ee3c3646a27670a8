import { fileURLToPath } from 'node:url'
import { createStreamReader } from '@vigia/video/stream-reader'
import { createVideoWriter } from '@vigia/video/testing/video-writer'

/** Bits of the frame number in the top left corner: a block is white if its bit is set. */
export const NUMBER_BITS = 12
/** Side of a block, as a fraction of the frame's width. */
export const BLOCK = 0.03
/** Length of the loop. A delay must be shorter. */
export const LOOP_S = 12

export interface Footage {
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly bitRate: number
}

/** Footage of the recorder simulator: people cross a campus. */
const campus = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-principal.mp4', import.meta.url))

/** Writes LOOP_S of the campus with its frame numbers to `path` (Matroska, H.264). */
export async function writeNumbered(path: string, { width, height, fps, bitRate }: Footage): Promise<void> {
  const writer = await createVideoWriter({ path, width, height, fps, bitRate })
  const stop = new AbortController()
  let number = 0
  await createStreamReader({ url: campus }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const rgb = await frame.toPacked('rgb', width, height)
        while (number < LOOP_S * fps && (number * 1000) / fps <= frame.timestampMs) {
          drawNumber(rgb, width, number)
          await writer.write(rgb, (number * 1000) / fps)
          number += 1
        }
        if (number >= LOOP_S * fps) stop.abort()
      },
    },
    stop.signal,
  )
  await writer.close()
  if (writer.codec === 'mpeg4') throw new Error('this FFmpeg has no encoder for H.264')
}

function drawNumber(rgb: Buffer, width: number, number: number): void {
  const side = Math.round(width * BLOCK)
  for (let y = 0; y < side; y += 1)
    for (let bit = 0; bit <= NUMBER_BITS; bit += 1) {
      const from = (y * width + bit * side) * 3
      rgb.fill((number >> bit) & 1 ? 255 : 0, from, from + side * 3)
    }
}
