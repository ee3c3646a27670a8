import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Detector } from '../detector.ts'
import { openPicture } from '../picture.ts'

/** Boxes of the objects in `fixtures/patio.jpg`, drawn by hand, in fractions of the picture. */
export const patio = {
  path: fileURLToPath(new URL('../../fixtures/patio.jpg', import.meta.url)),
  people: [
    { x: 0.747, y: 0.433, w: 0.045, h: 0.174 },
    { x: 0.879, y: 0.411, w: 0.046, h: 0.168 },
    { x: 0.332, y: 0.346, w: 0.045, h: 0.138 },
    { x: 0.683, y: 0.244, w: 0.031, h: 0.132 },
    { x: 0.151, y: 0.27, w: 0.031, h: 0.113 },
    { x: 0.888, y: 0.168, w: 0.027, h: 0.097 },
  ],
  van: { x: 0.848, y: 0.076, w: 0.094, h: 0.095 },
  cone: { x: 0.38, y: 0.32, w: 0.024, h: 0.045 },
  lawn: { x: 0.05, y: 0.55, w: 0.06, h: 0.2 },
} as const

export const readPatio = (): Promise<Buffer> => readFile(patio.path)

/** The whole picture in the input format of `detector`. */
export async function asInput(jpeg: Buffer, { input }: Detector): Promise<Uint8Array> {
  const picture = await openPicture(jpeg)
  return picture.cut({ left: 0, top: 0, width: picture.width, height: picture.height }, input)
}
