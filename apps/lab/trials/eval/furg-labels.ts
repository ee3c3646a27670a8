import { VigiaError } from '@vigia/contracts/errors'

/** A stretch of a video, seconds from its start. */
export interface Stretch {
  readonly startS: number
  readonly endS: number
}

/** A gap this short (s) between labels is an unlabelled frame, not an extinguished fire. */
const PAUSE_S = 1

/**
 * Stretches with fire from labels in the format of furg-fire-dataset: an OpenCV XML file with a frame rate and, for
 * each frame, rectangles around flames. Throws VigiaError `validacao` if the frame rate is missing.
 */
export function parseFurgLabels(xml: string, file: string): Stretch[] {
  const rate = Number(/<frameRate>\s*([\d.]+)\s*<\/frameRate>/.exec(xml)?.[1])
  if (!(rate > 0)) throw new VigiaError('validacao', { detalhe: `${file}: falta frameRate.` })
  const stretches: { startS: number; endS: number }[] = []
  for (const frame of xml.split('<frameNumber>').slice(1)) {
    const number = Number.parseInt(frame, 10)
    const rectangles = frame.match(/\d+\s+\d+\s+[1-9]\d*\s+[1-9]\d*\s*</g) ?? []
    if (!Number.isInteger(number) || rectangles.length === 0) continue
    const [atS, last] = [number / rate, stretches.at(-1)]
    if (last && atS - last.endS <= PAUSE_S) last.endS = atS
    else stretches.push({ startS: atS, endS: atS })
  }
  return stretches
}

/** Whether an XML file contains such labels. */
export const isFurg = (xml: string): boolean => xml.includes('<opencv_storage>') && xml.includes('<frameNumber>')
