import type { Mask } from '../mask.ts'
import type { RingGop, RingPacket } from '../readers/ring.ts'
import { type CodedUnit, createSmallCopy } from './small-copy.ts'

/**
 * A small copy of groups of pictures from `fromMs` up to `toMs` (stream time), covered by `mask`. Only the copy of a
 * masked camera may be stored. The copy begins with a keyframe, however long before it that of the groups is.
 * @throws NoEncoderError
 */
export async function copyGops(
  gops: readonly RingGop[],
  toMs: number,
  mask: Mask | null,
  fromMs = Number.NEGATIVE_INFINITY,
): Promise<RingGop[]> {
  const copy = createSmallCopy(mask, fromMs)
  const units: CodedUnit[] = []
  try {
    for (const { parameters, packets } of gops)
      for (const { keyframe, timeMs, data } of packets)
        if (timeMs <= toMs) units.push(...(await copy.add({ keyframe, timeMs, data, parameters })))
    units.push(...(await copy.flush()))
  } finally {
    copy.close()
  }
  return groups(units)
}

function groups(units: readonly CodedUnit[]): RingGop[] {
  const found: (RingGop & { readonly packets: RingPacket[] })[] = []
  for (const { parameters, ...packet } of units) {
    const discontinuity = found.at(-1)?.parameters !== parameters
    if (packet.keyframe) found.push({ parameters, discontinuity, packets: [], audio: [] })
    found.at(-1)?.packets.push(packet)
  }
  return found
}
