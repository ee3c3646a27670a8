import { createStreamReader } from '@vigia/video/stream-reader'
import { createVideoWriter, type VideoWriter } from '@vigia/video/testing/video-writer'
import { createPlume } from './plume.ts'

const FPS = 5
/** The plume begins here, in seconds of the clip. */
export const STARTS_S = 5
const LASTS_S = 36
const BITS_PER_PIXEL = 0.12
/** As wide as the second stream of a recorder. */
const WIDEST = 640
/** 4:2:0 requires even sides. */
const even = (side: number) => 2 * Math.round(side / 2)

/** Copies the first seconds of `source`; with a seed, a plume grows in them. */
export async function copyClip(source: string, path: string, seed: number | null): Promise<void> {
  let writer: VideoWriter | null = null
  let plume: ReturnType<typeof createPlume> | null = null
  const stop = new AbortController()
  await createStreamReader({ url: source, maxFps: FPS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const atS = frame.timestampMs / 1000
        if (atS > LASTS_S) return stop.abort()
        const scale = Math.min(1, WIDEST / frame.width)
        const [width, height] = [even(frame.width * scale), even(frame.height * scale)]
        const bitRate = BITS_PER_PIXEL * width * height * FPS
        writer ??= await createVideoWriter({ path, width, height, fps: FPS, bitRate })
        const picture = { rgb: await frame.toPacked('rgb', width, height), width, height }
        if (seed !== null) {
          plume ??= createPlume(seed, picture)
          plume(picture, atS - STARTS_S)
        }
        await writer.write(picture.rgb, frame.timestampMs)
      },
    },
    stop.signal,
  )
  await (writer as VideoWriter | null)?.close()
}
