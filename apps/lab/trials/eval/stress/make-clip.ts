import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { createStreamReader } from '@vigia/video/stream-reader'
import { createVideoWriter, type VideoWriter } from '@vigia/video/testing/video-writer'
import { createObstruction } from './obstructions.ts'
import type { Stress } from './stress.ts'
import { bitsPerPixelOf, createTransform, type Step } from './transforms.ts'

/** Frame rate of the generated files: twice the analysed rate, so that frames are selected as from a camera. */
const FPS = 10
const SEED = 20_261_121

/**
 * Applies the transformation to every picture and encodes the result as a file in `folder`, to be analysed like the
 * stream of a camera. Throws VigiaError `interno` if the video is not readable to its end.
 */
export async function makeClip(
  source: string,
  stress: Stress,
  folder: string,
): Promise<{ readonly path: string; readonly codec: string }> {
  const path = join(folder, 'clip.mkv')
  const durationS = await lengthOf(source)
  const bits = bitsPerPixelOf(stress.kind === 'transform' ? stress.name : null)
  const untilS = stress.kind === 'transform' ? Number.POSITIVE_INFINITY : stress.untilS
  const state: { writer: VideoWriter | null; step: Step | null } = { writer: null, step: null }
  const stop = new AbortController()
  const end = await createStreamReader({ url: source, maxFps: FPS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const atS = frame.timestampMs / 1000
        if (atS > untilS) return stop.abort()
        // 4:2:0 requires even sides.
        const [width, height] = [frame.width - (frame.width % 2), frame.height - (frame.height % 2)]
        state.writer ??= await createVideoWriter({
          path,
          width,
          height,
          fps: FPS,
          bitRate: bits * width * height * FPS,
        })
        state.step ??=
          stress.kind === 'transform'
            ? createTransform(stress.name, SEED, { width, height }, durationS)
            : createObstruction(stress.problema, stress.fromS, SEED)
        const rgb = await frame.toPacked('rgb', width, height)
        await state.writer.write(state.step({ rgb, width, height }, atS), frame.timestampMs)
      },
    },
    stop.signal,
  )
  await state.writer?.close()
  if (typeof end !== 'string' || !state.writer)
    throw new VigiaError('interno', { detalhe: `Não foi possível ler ${source} até o fim.` })
  return { path, codec: state.writer.codec }
}

/** Time of the last picture, in s. */
async function lengthOf(source: string): Promise<number> {
  let lastMs = 0
  const onFrame = ({ timestampMs }: { timestampMs: number }) => {
    lastMs = timestampMs
  }
  await createStreamReader({ url: source, maxFps: 1 }).run({ onInfo: () => {}, onFrame }, new AbortController().signal)
  return lastMs / 1000
}
