import { nalFormat } from '../nal-units.ts'
import type { TrackCodec } from './codec-config.ts'

/** A picture of a file, in decoding order. */
interface ReadSample {
  readonly keyframe: boolean
  /** Presentation time in ticks of 90 kHz. */
  readonly ptsTicks: number
  /** Views into the file. */
  readonly nals: readonly Buffer[]
}

interface ReadPart {
  /** Ticks of 90 kHz. */
  readonly startTicks: number
  readonly durationTicks: number
  samples(): readonly ReadSample[]
}

export interface ReadMedia {
  readonly codec: TrackCodec
  readonly parameterSets: readonly Buffer[]
  readonly parts: readonly ReadPart[]
  /** Length of the file up to the end of its last complete part. */
  readonly completeBytes: number
}

interface Box {
  readonly type: string
  readonly content: Buffer
  /** Position behind the box. */
  readonly end: number
}

const HEADER_BYTES = 8
/** Fields before the boxes inside `stsd` and inside a visual sample entry. */
const STSD_BYTES = 8
const VISUAL_ENTRY_BYTES = 78
const RECORDS = [
  { codec: 'h264', entry: 'avc1', record: 'avcC' },
  { codec: 'h265', entry: 'hvc1', record: 'hvcC' },
] as const
/** Box header, version and flags, sample count, data offset. */
const TRUN_HEADER_BYTES = 12
const TRUN_ENTRY_BYTES = 16
/** sample_is_non_sync_sample */
const NON_SYNC = 0x00010000

/**
 * Reads an init segment and the parts behind it, as the packager writes them. A torn part at the end does not count.
 * null: there is no complete init segment.
 */
export function readMedia(data: Buffer): ReadMedia | null {
  const [ftyp, moov, ...rest] = boxesIn(data)
  if (ftyp?.type !== 'ftyp' || moov?.type !== 'moov') return null
  const stsd = ['trak', 'mdia', 'minf', 'stbl', 'stsd'].reduce<Buffer | undefined>(childOf, moov.content)
  const track = stsd && trackOf(stsd.subarray(STSD_BYTES))
  if (!track) return null
  const parts: ReadPart[] = []
  let completeBytes = moov.end
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const [moof, mdat] = [rest[at], rest[at + 1]]
    const part = moof?.type === 'moof' && mdat?.type === 'mdat' && readPart(moof.content, mdat.content, track.split)
    if (!part || !mdat) break
    parts.push(part)
    completeBytes = mdat.end
  }
  const { codec, parameterSets } = track
  return { codec, parameterSets, parts, completeBytes }
}

/** The complete boxes. */
function boxesIn(data: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + HEADER_BYTES <= data.length; ) {
    const size = data.readUInt32BE(at)
    const end = at + size
    if (size < HEADER_BYTES || end > data.length) break
    boxes.push({ type: data.toString('latin1', at + 4, at + 8), content: data.subarray(at + HEADER_BYTES, end), end })
    at = end
  }
  return boxes
}

const childOf = (parent: Buffer | undefined, type: string): Buffer | undefined =>
  parent && boxesIn(parent).find((one) => one.type === type)?.content

function trackOf(entries: Buffer) {
  for (const { codec, entry, record } of RECORDS) {
    const found = childOf(childOf(entries, entry)?.subarray(VISUAL_ENTRY_BYTES), record)
    const format = found && nalFormat(codec, found)
    if (format) return { codec, ...format }
  }
  return null
}

type Split = (packet: Buffer) => Buffer[] | null

/** The form of `fragment`. null: another form. */
function readPart(moof: Buffer, mdat: Buffer, split: Split): ReadPart | null {
  const traf = childOf(moof, 'traf')
  const [tfdt, trun] = [childOf(traf, 'tfdt'), childOf(traf, 'trun')]
  if (!tfdt || !trun || tfdt.length < 12 || trun.length < TRUN_HEADER_BYTES) return null
  const count = trun.readUInt32BE(4)
  if (count === 0 || trun.length !== TRUN_HEADER_BYTES + count * TRUN_ENTRY_BYTES) return null
  const startTicks = Number(tfdt.readBigUInt64BE(4))
  const entries = Array.from({ length: count }, (_, i) => {
    const at = TRUN_HEADER_BYTES + i * TRUN_ENTRY_BYTES
    const [duration, bytes, flags] = [trun.readUInt32BE(at), trun.readUInt32BE(at + 4), trun.readUInt32BE(at + 8)]
    return { duration, bytes, keyframe: (flags & NON_SYNC) === 0, offset: trun.readInt32BE(at + 12) }
  })
  return {
    startTicks,
    durationTicks: entries.reduce((sum, { duration }) => sum + duration, 0),
    samples() {
      let [dts, from] = [startTicks, 0]
      return entries.map(({ duration, bytes, keyframe, offset }) => {
        const sample = { keyframe, ptsTicks: dts + offset, nals: split(mdat.subarray(from, from + bytes)) ?? [] }
        dts += duration
        from += bytes
        return sample
      })
    },
  }
}
