/** Offsets in a CMAF chunk of an edge: `moof` of `mfhd` and `traf`, of `tfhd`, `tfdt` and `trun` (docs/live.md). */
const AT = { moof: 4, time: 60, trun: 72, flags: 96 } as const
/** sample_depends_on: 2, independent (ISO/IEC 14496-12, 8.8.3.1). */
const KEYFRAME = 0x02000000
const TICKS_PER_S = 90_000n

/** Time of the keyframe that a chunk begins with, in seconds; null: it begins with another picture. */
export function keyframeTime(chunk: ArrayBuffer): number | null {
  if (chunk.byteLength < AT.flags + 4) return null
  const view = new DataView(chunk)
  const type = (at: number) => String.fromCharCode(...new Uint8Array(chunk, at, 4))
  if (type(AT.moof) !== 'moof' || type(AT.trun) !== 'trun' || view.getUint32(AT.flags) !== KEYFRAME) return null
  return Number((view.getBigUint64(AT.time) * 1000n) / TICKS_PER_S) / 1000
}
