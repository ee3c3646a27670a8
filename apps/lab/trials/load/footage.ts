import { fileURLToPath } from 'node:url'
import { seededRandom } from '@vigia/testing/random'
import { median } from '@vigia/testing/stats'
import type { Crop, VideoFrame } from '@vigia/video/frame'
import { createStreamReader } from '@vigia/video/stream-reader'
import { createVideoWriter } from '@vigia/video/testing/video-writer'

/** Footage of the recorder simulator: people cross a campus; 768x576, 10 pictures a second, 26 seconds. */
const campus = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-principal.mp4', import.meta.url))

/** Size and frame rate of a usual sub stream. */
const LOAD_VIDEO = { width: 640, height: 360, fps: 10 } as const
const BIT_RATE = 600_000
const CLIP_S = 26
/** Time between the pictures of a median: a person who walks leaves the pixel in most of them. */
const MEDIAN_EVERY_MS = 1_000
/** Largest noise of a pixel in grey levels: the sum of two even random numbers. */
const NOISE = 4

/** Writes `seconds` of the whole campus, scaled down, to `path` (Matroska). */
export const writeFootage = (path: string, seconds: number): Promise<void> =>
  writeCampus(path, seconds, () => undefined)

/** Writes the middle of the campus in its own pixels: somebody moves all the time. */
export const writeBusy = (path: string): Promise<void> => writeCampus(path, CLIP_S, middle)

/** Writes the same scene without people: the median picture, with seeded noise that changes each picture. */
export async function writeQuiet(path: string): Promise<void> {
  const { width, height, fps } = LOAD_VIDEO
  const pictures: Buffer[] = []
  await play(CLIP_S, async (frame) => {
    if (frame.timestampMs >= pictures.length * MEDIAN_EVERY_MS)
      pictures.push(await frame.toPacked('rgb', width, height, middle(frame)))
  })
  const still = medianOf(pictures)
  const random = seededRandom(1)
  const writer = await createVideoWriter({ path, ...LOAD_VIDEO, bitRate: BIT_RATE })
  for (let at = 0; at < CLIP_S * fps; at++) {
    const noisy = Buffer.from(still)
    for (let from = 0; from < noisy.length; from += 3) {
      const noise = Math.round((random() + random() - 1) * NOISE)
      for (let channel = from; channel < from + 3; channel++)
        noisy[channel] = Math.min(255, Math.max(0, (still[channel] ?? 0) + noise))
    }
    await writer.write(noisy, (at * 1000) / fps)
  }
  await writer.close()
}

async function writeCampus(path: string, seconds: number, cropOf: (frame: VideoFrame) => Crop | undefined) {
  const { width, height } = LOAD_VIDEO
  const writer = await createVideoWriter({ path, ...LOAD_VIDEO, bitRate: BIT_RATE })
  await play(seconds, async (frame) => {
    await writer.write(await frame.toPacked('rgb', width, height, cropOf(frame)), frame.timestampMs)
  })
  await writer.close()
}

/** Calls `take` for each picture of the first `seconds` of the campus. */
async function play(seconds: number, take: (frame: VideoFrame) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  await createStreamReader({ url: campus, maxFps: LOAD_VIDEO.fps }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        if (frame.timestampMs >= seconds * 1000) stop.abort()
        else await take(frame)
      },
    },
    stop.signal,
  )
}

function middle({ width, height }: VideoFrame): Crop {
  const [w, h] = [LOAD_VIDEO.width / width, LOAD_VIDEO.height / height]
  return { x: (1 - w) / 2, y: (1 - h) / 2, w, h }
}

/** Median of each byte over the pictures. */
const medianOf = (pictures: readonly Buffer[]): Buffer =>
  Buffer.from((pictures[0] ?? Buffer.alloc(0)).map((_, at) => median(pictures.map((picture) => picture[at] ?? 0))))
