import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Box } from '@vigia/ias/geometry'
import { createStreamReader } from '@vigia/video/stream-reader'
import { createVideoWriter } from '@vigia/video/testing/video-writer'
import type { Pixels } from '../stress/pixels.ts'

/** Footage of the recorder simulator: one campus camera, 768x576, 10 pictures a second (cut from `vtest.avi`). */
const clipPath = (clip: string) =>
  fileURLToPath(new URL(`../../../../dvr-simulator/footage/campus-${clip}-principal.mp4`, import.meta.url))
export const FRAME_MS = 100
/** The first 40 s: the weights of the main stream are fitted on them, and measured on the other clip. */
export const FITTED_CLIP = 'a'

export interface CampusFrame {
  readonly clip: string
  readonly number: number
  readonly people: readonly Box[]
}

export interface Campus {
  readonly frames: readonly CampusFrame[]
  /** Still things that the first model takes for people. */
  readonly things: readonly Box[]
}

/**
 * Labels of campus.csv. People: boxes of `nanodet-g-416` from 0.5 on at full size, each checked by a person. Things:
 * boxes that it reports below 0.5 at one place for minutes, checked by a person. All other candidates are unlabelled.
 */
export async function readCampus(): Promise<Campus> {
  const text = await readFile(new URL('./campus.csv', import.meta.url), 'utf8')
  const frames = new Map<string, { clip: string; number: number; people: Box[] }>()
  const things: Box[] = []
  for (const line of text.trim().split('\n').slice(1)) {
    const [clip = '', number = '', kind, ...values] = line.split(',')
    const [x = 0, y = 0, w = 0, h = 0] = values.map(Number)
    if (kind === 'thing') things.push({ x, y, w, h })
    else {
      const key = `${clip}${number}`
      const frame = frames.get(key) ?? { clip, number: Number(number), people: [] }
      frame.people.push({ x, y, w, h })
      frames.set(key, frame)
    }
  }
  return { frames: [...frames.values()], things }
}

/** Reads the frames with these numbers, at this size. `file`: another encoding of the clip. */
export async function readFrames(
  clip: string,
  numbers: ReadonlySet<number>,
  { width, height }: { readonly width: number; readonly height: number },
  file = clipPath(clip),
): Promise<Map<number, Pixels>> {
  const found = new Map<number, Pixels>()
  await createStreamReader({ url: file, maxFps: 1000 / FRAME_MS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const number = Math.round(frame.timestampMs / FRAME_MS)
        if (numbers.has(number)) found.set(number, { rgb: await frame.toPacked('rgb', width, height), width, height })
      },
    },
    new AbortController().signal,
  )
  return found
}

/** Encodes a clip again with `bitRate` bits a second; returns the path of the file in `folder`. */
export async function encodeAgain(
  clip: string,
  size: { readonly width: number; readonly height: number },
  bitRate: number,
  folder: string,
): Promise<string> {
  const path = join(folder, `campus-${clip}.mkv`)
  const writer = await createVideoWriter({ path, ...size, fps: 1000 / FRAME_MS, bitRate })
  await createStreamReader({ url: clipPath(clip), maxFps: 1000 / FRAME_MS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        await writer.write(await frame.toPacked('rgb', size.width, size.height), frame.timestampMs)
      },
    },
    new AbortController().signal,
  )
  await writer.close()
  return path
}
