import { fileURLToPath } from 'node:url'
import { createStreamReader } from '@vigia/video/stream-reader'
import { createVideoWriter } from '@vigia/video/video-writer'

/** Footage of the recorder simulator: people cross a campus, 10 pictures a second. */
const source = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-principal.mp4', import.meta.url))

const LOAD_VIDEO = { width: 640, height: 360, fps: 10 } as const

/** Writes `seconds` of the campus to `path` (Matroska) with the size and frame rate of a usual sub stream. */
export async function writeFootage(path: string, seconds: number): Promise<void> {
  const { width, height } = LOAD_VIDEO
  const writer = await createVideoWriter({ path, ...LOAD_VIDEO, bitRate: 600_000 })
  const stop = new AbortController()
  await createStreamReader({ url: source, maxFps: LOAD_VIDEO.fps }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        if (frame.timestampMs >= seconds * 1000) stop.abort()
        else await writer.write(await frame.toPacked('rgb', width, height), frame.timestampMs)
      },
    },
    stop.signal,
  )
  await writer.close()
}
