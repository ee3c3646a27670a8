import type { AudioConfig } from '../audio/audio-config.ts'
import { box, fullBox, u32 } from './boxes.ts'
import type { TrackConfig } from './codec-config.ts'
import { AUDIO_TRACK_ID, audioTrackBox, movieBox, TRACK_ID } from './movie.ts'
import type { Sample } from './sample.ts'

const EMPTY_TABLES = [
  fullBox('stts', 0, 0, u32(0)),
  fullBox('stsc', 0, 0, u32(0)),
  fullBox('stsz', 0, 0, u32(0, 0)),
  fullBox('stco', 0, 0, u32(0)),
]

/** Header of the parts of `config`; a CMAF header (ISO/IEC 23000-19 7.3.2) without audio. */
export function initSegment(config: TrackConfig, audio: AudioConfig | null = null): Buffer {
  const trackIds = audio ? [TRACK_ID, AUDIO_TRACK_ID] : [TRACK_ID]
  const mvex = box('mvex', ...trackIds.map((id) => fullBox('trex', 0, 0, u32(id, 1, 0, 0, 0))))
  const tracks = audio ? [audioTrackBox({ config: audio, samples: 0, tables: EMPTY_TABLES })] : []
  // cmf2 allows negative composition offsets.
  const ftyp = box('ftyp', Buffer.from('iso6'), u32(1), Buffer.from('iso6cmf2mp41'))
  return Buffer.concat([ftyp, movieBox({ config, duration: 0, tables: EMPTY_TABLES, extends: [...tracks, mvex] })])
}

/** sample_depends_on: 2, independent. */
const KEYFRAME = 0x02000000
/** sample_depends_on: 1; sample_is_non_sync_sample. */
const DEPENDENT = 0x01010000
/** default-base-is-moof */
const TFHD_FLAGS = 0x020000
/** data offset; duration, size, flags and composition offset of each sample */
const TRUN_FLAGS = 0x000f01
const BYTES_PER_SAMPLE = 16

/** Data offset; duration and size of each sample. The other values are those of `trex`: sync samples. */
const AUDIO_TRUN_FLAGS = 0x000301
const BYTES_PER_AUDIO_SAMPLE = 8
/** `traf` header, `tfhd`, `tfdt`, and the fields of `trun` before its samples. */
const TRAF_BYTES = 8 + 16 + 20 + 20

/** Consecutive AAC access units of a part. */
export interface AudioSamples {
  /** Ticks of its own timescale. */
  readonly dts: number
  readonly frameTicks: number
  readonly data: readonly Buffer[]
}

const bytesOf = (data: readonly Buffer[]): number => data.reduce((sum, { length }) => sum + length, 0)

/**
 * A CMAF chunk (`moof`, `mdat`) of consecutive samples. `sequence` counts from 1; `dts`: ticks of the first sample.
 * `audio` has its own track behind the video.
 */
export function fragment(
  sequence: number,
  dts: number,
  samples: readonly Sample[],
  audio: AudioSamples | null = null,
): Buffer {
  const videoTrafBytes = TRAF_BYTES + BYTES_PER_SAMPLE * samples.length
  const audioTrafBytes = audio ? TRAF_BYTES + BYTES_PER_AUDIO_SAMPLE * audio.data.length : 0
  const moofBytes = 8 + 16 + videoTrafBytes + audioTrafBytes
  const videoBytes = bytesOf(samples.map(({ data }) => data))
  const mdatBytes = 8 + videoBytes + bytesOf(audio?.data ?? [])
  const bytes = Buffer.allocUnsafeSlow(moofBytes + mdatBytes)
  let at = 0
  const number = (value: number) => {
    at = bytes.writeUInt32BE(value, at)
  }
  const begin = (size: number, type: string) => {
    number(size)
    at += bytes.write(type, at, 'latin1')
  }
  const beginTrack = (trafBytes: number, id: number, startTicks: number) => {
    begin(trafBytes, 'traf')
    begin(16, 'tfhd')
    number(TFHD_FLAGS)
    number(id)
    begin(20, 'tfdt')
    number(0x01000000)
    at = bytes.writeBigUInt64BE(BigInt(startTicks), at)
  }
  begin(moofBytes, 'moof')
  begin(16, 'mfhd')
  number(0)
  number(sequence)
  beginTrack(videoTrafBytes, TRACK_ID, dts)
  begin(20 + BYTES_PER_SAMPLE * samples.length, 'trun')
  number(0x01000000 + TRUN_FLAGS)
  number(samples.length)
  number(moofBytes + 8)
  for (const { duration, data, keyframe, offset } of samples) {
    number(duration)
    number(data.length)
    number(keyframe ? KEYFRAME : DEPENDENT)
    at = bytes.writeInt32BE(offset, at)
  }
  if (audio) {
    beginTrack(audioTrafBytes, AUDIO_TRACK_ID, audio.dts)
    begin(20 + BYTES_PER_AUDIO_SAMPLE * audio.data.length, 'trun')
    number(AUDIO_TRUN_FLAGS)
    number(audio.data.length)
    number(moofBytes + 8 + videoBytes)
    for (const { length } of audio.data) {
      number(audio.frameTicks)
      number(length)
    }
  }
  begin(mdatBytes, 'mdat')
  for (const { data } of samples) at += data.copy(bytes, at)
  for (const data of audio?.data ?? []) at += data.copy(bytes, at)
  return bytes
}
