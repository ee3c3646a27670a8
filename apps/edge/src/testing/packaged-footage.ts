import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { type EncodedVideo, readAccessUnits } from '@vigia/video/testing/access-units'
import { createLivePackager } from '../capture/live-packager.ts'

/** The records that a capture process sends for a stream with the pictures of a file, the first one at `startMs`. */
export const packagedFootage = async (path: string, startMs: number, partMs = 1_000): Promise<RegistroTransmissao[]> =>
  packagedVideo(await readAccessUnits(path), startMs, partMs)

/** As `packagedFootage`, of a video in memory. */
export function packagedVideo(
  { codec, parameterSets, units, timescale }: EncodedVideo,
  startMs: number,
  partMs = 1_000,
): RegistroTransmissao[] {
  const records: RegistroTransmissao[] = []
  let now = startMs
  const packager = createLivePackager({
    partMs,
    audio: false,
    figures: () => ({ fps: null, gopMs: null }),
    onRecord: (registro) => records.push(registro),
    now: () => now,
  })
  for (const { key, pts, nals } of units) {
    const timeMs = (pts * 1_000) / timescale
    now = startMs + timeMs
    packager.packet({
      keyframe: key,
      timeMs,
      parameters: { codec, parameterSets, split: () => nals },
      data: () => Buffer.alloc(0),
    })
  }
  void packager.closed?.()
  return records
}
