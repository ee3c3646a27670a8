import { createStreamReader, type VideoFrame } from '@vigia/video/stream-reader'

/** Largest difference of gray values that encoding adds to a flat part. */
const FLAT = 6

/** Whether the left and the right half of each of `count` pictures side by side are flat. */
export async function flatHalves(frame: VideoFrame, count = 1): Promise<boolean[]> {
  const flat: boolean[] = []
  for (let half = 0; half < 2 * count; half++) {
    // Pixels beside the border belong to blocks of both sides.
    const crop = { x: (half + 0.1) / 2 / count, y: 0, w: 0.8 / 2 / count, h: 1 }
    const pixels = await frame.toPacked('gray', 64, 64, crop)
    flat.push(Math.max(...pixels) - Math.min(...pixels) <= FLAT)
  }
  return flat
}

/** `flatHalves` of pictures of a video file, two a second. */
export async function flatHalvesOfFile(path: string): Promise<boolean[][]> {
  const halves: boolean[][] = []
  const onFrame = async (frame: VideoFrame) => void halves.push(await flatHalves(frame))
  const end = await createStreamReader({ url: path, maxFps: 2 }).run(
    { onInfo: () => {}, onFrame },
    AbortSignal.timeout(10_000),
  )
  if (end !== 'end') throw new Error('the video does not decode')
  return halves
}
