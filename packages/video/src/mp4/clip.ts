import { FRAME_SAMPLES } from '../audio/audio-config.ts'
import type { RingGop } from '../readers/ring.ts'
import { type TrackConfig, trackConfig } from './codec-config.ts'
import { type CodedPicture, type FileAudio, progressiveMp4, samplesOf } from './progressive.ts'

export interface Clip extends Pick<TrackConfig, 'codec' | 'width' | 'height'> {
  /** RFC 6381; of both tracks, separated by a comma, if there is audio. */
  readonly codecs: string
  /** MP4 with `moov` first. */
  readonly data: Buffer
  /** Stream time of the first picture. */
  readonly startMs: number
  readonly durationMs: number
  /** The groups of pictures of the file. */
  readonly gops: readonly RingGop[]
}

const configOf = ({ parameters: { codec, parameterSets } }: RingGop): TrackConfig | null =>
  codec === 'h264' || codec === 'h265' ? trackConfig(codec, parameterSets) : null

const startMs = (gop: RingGop): number => gop.packets[0]?.timeMs ?? 0

/** The access units from `fromMs` to `toMs`. The audio of a picture arrives behind it, perhaps in the next group. */
function audioOf(gops: readonly RingGop[], fromMs: number, toMs: number): FileAudio | null {
  const config = gops[0]?.parameters.audio
  if (!config) return null
  const halfMs = (FRAME_SAMPLES * 500) / config.sampleRate
  const units = gops
    .flatMap(({ audio }) => audio)
    .filter(({ timeMs }) => timeMs >= fromMs - halfMs && timeMs < toMs)
    .map(({ data }) => data)
  return units.length > 0 ? { config, units } : null
}

/**
 * Makes a file of the pictures up to `toMs` (stream time). A file has one set of parameters. It has those of the
 * picture at `atMs`, and begins and ends where they change. null: no picture, or a codec without a sample entry.
 */
export function makeClip(gops: readonly RingGop[], { atMs, toMs }: { atMs: number; toMs: number }): Clip | null {
  const at = Math.max(
    0,
    gops.findLastIndex((gop) => startMs(gop) <= atMs),
  )
  const chosen = gops[at]
  const config = chosen && configOf(chosen)
  if (!config) return null
  const isSame = (gop: RingGop) => configOf(gop)?.sampleEntry.equals(config.sampleEntry) === true
  const first = gops.slice(0, at).findLastIndex((gop) => !isSame(gop)) + 1
  const end = gops.findIndex((gop, i) => i > at && (!isSame(gop) || startMs(gop) > toMs))
  const used = gops.slice(first, end < 0 ? gops.length : end)
  const pictures = used.flatMap(({ packets, parameters }) =>
    packets.flatMap(({ keyframe, timeMs, data }): CodedPicture[] => {
      const nals = timeMs <= toMs || keyframe ? parameters.split(data) : null
      return nals === null ? [] : [{ keyframe, timeMs, nals }]
    }),
  )
  const samples = samplesOf(config, pictures)
  const ticks = samples.reduce((sum, { duration }) => sum + duration, 0)
  const { codec, width, height } = config
  if (samples.length === 0) return null
  const firstMs = used[0] ? startMs(used[0]) : 0
  const durationMs = ticks / 90
  const audio = audioOf(gops.slice(first), firstMs, firstMs + durationMs)
  const data = progressiveMp4(config, samples, audio)
  const codecs = audio ? `${config.codecs},${audio.config.codecs}` : config.codecs
  return { codec, codecs, width, height, data, startMs: firstMs, durationMs, gops: used }
}
