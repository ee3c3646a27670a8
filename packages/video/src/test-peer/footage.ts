import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Codec, type Picture, readPictures } from './annex-b.ts'
import type { RtpWriter } from './rtp-writer.ts'

export const fixture = (name: string): URL => new URL(`../../fixtures/${name}`, import.meta.url)

export const pictures: Readonly<Record<Codec, readonly Picture[]>> = {
  h264: readPictures(fixture('h264.264'), 'h264'),
  h265: readPictures(fixture('h265.265'), 'h265'),
}

/** H.264 with two B-frames between the others. */
export const reorderedPictures: readonly Picture[] = readPictures(fixture('h264-b.264'), 'h264')
/** Display position of the n-th decoded picture. */
export const shownAt = (index: number): number =>
  Math.floor(index / 10) * 10 + ([0, 3, 1, 2, 6, 4, 5, 9, 7, 8][index % 10] ?? 0)

/** RTP ticks (90 kHz) between two pictures of the fixtures (10 a second). */
export const ticks = 9000

export interface PlayOptions {
  readonly codec?: Codec
  /** Pictures in decoding order; default: the fixture of the codec. */
  readonly pictures?: readonly Picture[]
  /** First picture in the loop. */
  readonly from?: number
  /** Number of sent pictures; default: unlimited. */
  readonly count?: number
  /** Real time between two pictures (their timestamps always differ by 100 ms). */
  readonly intervalMs?: number
  /** Called before each picture with its number; may send other data or return the lost RTP packets. */
  before?(rtp: RtpWriter, index: number): undefined | ((packet: number) => boolean)
  timestamp?(index: number): number
  /** Omits the parameter sets, like cameras that send them only in the SDP. */
  readonly withoutParameterSets?: boolean
}

const isParameterSet = (nal: Buffer, codec: Codec): boolean => {
  const type = codec === 'h264' ? (nal[0] ?? 0) & 31 : ((nal[0] ?? 0) >> 1) & 63
  return codec === 'h264' ? type === 7 || type === 8 : type >= 32 && type <= 34
}

/**
 * The parameter sets of the fixture in the form of an SDP's `fmtp` line (RFC 6184 section 8.1, RFC 7798 section 7.1).
 */
export function fmtpOf(codec: Codec): string {
  const sets = pictures[codec][0]?.nals.filter((nal) => isParameterSet(nal, codec)).map((nal) => nal.toString('base64'))
  if (codec === 'h264') return `a=fmtp:96 packetization-mode=1;sprop-parameter-sets=${sets?.join(',')}`
  return `a=fmtp:96 sprop-vps=${sets?.[0]};sprop-sps=${sets?.[1]};sprop-pps=${sets?.[2]}`
}

/** Plays the fixture in a loop until `count` or until the connection closes. Resolves when it stops. */
export async function playFootage(rtp: RtpWriter, connection: Socket, options: PlayOptions = {}): Promise<void> {
  const loop = options.pictures ?? pictures[options.codec ?? 'h264']
  const { from = 0, count = Number.POSITIVE_INFINITY, intervalMs = 10 } = options
  for (let index = 0; index < count && !connection.destroyed; index++) {
    const picture = loop[(from + index) % loop.length]
    if (!picture) return
    const lose = options.before?.(rtp, index)
    const codec = options.codec ?? 'h264'
    const nals = options.withoutParameterSets ? picture.nals.filter((nal) => !isParameterSet(nal, codec)) : picture.nals
    rtp.picture({ ...picture, nals }, options.timestamp?.(index) ?? 1_000_000 + index * ticks, lose)
    await delay(intervalMs)
  }
}
