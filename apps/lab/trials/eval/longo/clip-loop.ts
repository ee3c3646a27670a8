import { VigiaError } from '@vigia/contracts/errors'
import { createStreamReader } from '@vigia/video/stream-reader'
import type { LongScene } from './scenes.ts'

/** Decoded pieces of a clip as an endless loop. */
export interface ClipLoop {
  readonly width: number
  readonly height: number
  /** Length of the pieces, in s. */
  readonly realS: number
  /** The picture at a time of the stream: packed RGB, not to be changed. */
  at(atS: number): Buffer
}

/** Pictures a second that are kept: the rate of the slowest clips. Their largest width in pixels: a substream's. */
const FPS = 6
const WIDTH = 640
const STEP_S = 1 / FPS

interface Kept {
  readonly atS: number
  readonly rgb: Buffer
}

/** Throws VigiaError `interno` if the clip is not readable to its end. */
export async function loadLoop(path: string, { pieces, loop }: Pick<LongScene, 'pieces' | 'loop'>): Promise<ClipLoop> {
  const kept: Kept[] = []
  let [width, height] = [0, 0]
  let piece = 0
  let beforeS = 0
  let lastS = 0
  const end = await createStreamReader({ url: path, maxFps: FPS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const clipS = frame.timestampMs / 1000
        while (pieces[piece] && clipS > (pieces[piece]?.toS ?? 0)) {
          beforeS = kept.length === 0 ? 0 : lastS + STEP_S
          piece++
        }
        const here = pieces[piece]
        if (!here || clipS < here.fromS) return
        if (width === 0) {
          const scale = Math.min(1, WIDTH / frame.width)
          ;[width, height] = [even(frame.width * scale), even(frame.height * scale)]
        }
        lastS = beforeS + clipS - here.fromS
        kept.push({ atS: lastS, rgb: await frame.toPacked('rgb', width, height) })
      },
    },
    new AbortController().signal,
  )
  if (typeof end !== 'string' || kept.length === 0)
    throw new VigiaError('interno', { detalhe: `Não foi possível ler ${path} até o fim.` })
  const realS = lastS + STEP_S
  return { width, height, realS, at: (atS) => pictureAt(kept, positionAt(atS, realS, loop)) }
}

const even = (value: number): number => Math.round(value / 2) * 2

/** Position within the pieces at a time of the stream. */
export function positionAt(atS: number, realS: number, loop: LongScene['loop']): number {
  if (loop === 'volta') return atS % realS
  const within = atS % (2 * realS)
  return within < realS ? within : 2 * realS - within
}

/** The last picture at or before this position. */
function pictureAt(kept: readonly Kept[], positionS: number): Buffer {
  let [low, high] = [0, kept.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((kept[middle]?.atS ?? 0) <= positionS) low = middle
    else high = middle - 1
  }
  return kept[low]?.rgb ?? Buffer.alloc(0)
}
