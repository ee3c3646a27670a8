import { readFileSync } from 'node:fs'

export type Codec = 'h264' | 'h265'

/** The NAL units of one picture, with the preceding parameter sets. */
export interface Picture {
  readonly key: boolean
  readonly nals: readonly Buffer[]
}

/** Splits a raw Annex B file (one slice a picture) into pictures. */
export function readPictures(file: string | URL, codec: Codec): Picture[] {
  const data = readFileSync(file)
  const starts: number[] = []
  for (let at = data.indexOf('\0\0\u0001', 0, 'latin1'); at >= 0; at = data.indexOf('\0\0\u0001', at + 3, 'latin1')) {
    starts.push(at)
  }
  const pictures: Picture[] = []
  let nals: Buffer[] = []
  starts.forEach((start, index) => {
    let end = starts[index + 1] ?? data.length
    while (end > start + 3 && data[end - 1] === 0) end--
    const nal = data.subarray(start + 3, end)
    nals.push(nal)
    const type = codec === 'h264' ? (nal[0] ?? 0) & 31 : ((nal[0] ?? 0) >> 1) & 63
    if (codec === 'h264' ? type >= 1 && type <= 5 : type < 32) {
      pictures.push({ key: codec === 'h264' ? type === 5 : type >= 16 && type <= 21, nals })
      nals = []
    }
  })
  return pictures
}
