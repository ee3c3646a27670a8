import { type AudioConfig, FRAME_SAMPLES } from '../audio/audio-config.ts'
import type { StreamParameters, VideoPacket } from '../packet.ts'
import type { PacketReader } from '../packet-reader.ts'
import { type TrackConfig, trackConfig } from './codec-config.ts'
import { type AudioSamples, fragment, initSegment } from './fragments.ts'
import { type Sample, sampleData } from './sample.ts'
import { createSampleTimes, TIMESCALE, type Timed } from './sample-times.ts'

export interface InitSegment extends Pick<TrackConfig, 'codec' | 'width' | 'height'> {
  /** RFC 6381; of both tracks, separated by a comma, if there is audio. */
  readonly codecs: string
  readonly data: Buffer
}

export interface MediaPart {
  readonly data: Buffer
  /** True: it begins with a keyframe, and a segment begins with it. */
  readonly keyframe: boolean
  /** Counts the keyframes of this packager. */
  readonly segment: number
  /** Position in the segment. */
  readonly index: number
  /** Decoding time of its first sample, and its duration, in ticks of 90 kHz. */
  readonly startTicks: number
  readonly durationTicks: number
  /** Stream time of the first sample's picture, in ms. */
  readonly timeMs: number
  /** It does not continue the previous part: pictures are missing before it, or the stream was opened again. */
  readonly discontinuity: boolean
}

export interface PackagerOptions {
  /** Duration at which a part ends. A part also ends before each keyframe. */
  readonly partMs: number
  /** Packages the audio of the connection too. Default: no. */
  readonly audio?: boolean
  /** Called before the first part, and before the first part with other parameter sets. */
  onInit(init: InitSegment): void
  onPart(part: MediaPart): void
}

/** The part of a packet that the packager reads; those of a ring suffice. */
export type PackagerPacket = Pick<VideoPacket, 'keyframe' | 'timeMs' | 'data'> & {
  readonly parameters: Parameters
}

type Parameters = Pick<StreamParameters, 'codec' | 'parameterSets' | 'split' | 'audio'>

export interface Packager extends PacketReader {
  packet(packet: PackagerPacket): void
}

interface Tracks {
  readonly video: TrackConfig
  readonly audio: AudioConfig | null
}

interface Unit {
  readonly keyframe: boolean
  readonly data: Buffer
  readonly tracks: Tracks
  readonly timeMs: number
  readonly discontinuity: boolean
}

interface OpenPart {
  readonly first: Unit
  readonly dts: number
  readonly samples: Sample[]
  durationTicks: number
}

/** A longer time without a picture is a discontinuity; a shorter one extends the picture before. */
const LONGEST_GAP_MS = 1000
const TICKS_PER_MS = TIMESCALE / 1000

/**
 * Packages H.264 and H.265 unchanged into CMAF: an init segment and parts. Reads any number of connections in turn, on
 * one increasing timeline. Packets of other codecs are ignored. After missing packets it continues at the next
 * keyframe. A picture is passed on when the next one arrives, because its duration ends there. The first four pictures
 * of a stream wait for the fifth. A part holds the audio that has arrived so far: up to 0.6 s less than its pictures.
 */
export function createPackager({ partMs, audio: hasAudio = false, onInit, onPart }: PackagerOptions): Packager {
  const times = createSampleTimes<Unit>()
  const partTicks = partMs * TICKS_PER_MS
  let parameters: Parameters | null = null
  let tracks: Tracks | null = null
  let announced: Tracks | null = null
  /** Ticks of stream time 0 of the current connection. */
  let origin = 0
  let endTicks = 0
  /** Latest stream time; null: the next part does not continue the one before. */
  let lastMs: number | null = null
  /** Latest time between two pictures. */
  let intervalMs = Number.POSITIVE_INFINITY
  let open: OpenPart | null = null
  let sequence = 0
  let segment = -1
  let index = 0
  const heard = createHeardAudio()
  /** Stream time of the first picture since the last gap. */
  let startMs = 0

  const finishPart = () => {
    if (open === null) return
    const { first, dts, samples, durationTicks } = open
    open = null
    if (first.keyframe) {
      segment++
      index = 0
    }
    const { keyframe, timeMs, discontinuity } = first
    const data = fragment(++sequence, dts, samples, heard.take(first.tracks, dts + durationTicks))
    onPart({ data, keyframe, segment, index: index++, startTicks: dts, durationTicks, timeMs, discontinuity })
  }

  const add = ({ item, dts, duration, offset }: Timed<Unit>) => {
    if (item.keyframe) finishPart()
    if (announced !== item.tracks) {
      finishPart()
      announced = item.tracks
      const { video, audio } = announced
      const { codec, width, height } = video
      const codecs = audio ? `${video.codecs},${audio.codecs}` : video.codecs
      onInit({ data: initSegment(video, audio), codec, codecs, width, height })
      heard.restart()
    }
    open ??= { first: item, dts, samples: [], durationTicks: 0 }
    open.samples.push({ keyframe: item.keyframe, data: item.data, duration, offset })
    open.durationTicks += duration
    endTicks = dts + duration
    if (open.durationTicks >= partTicks - duration / 2) finishPart()
  }

  const interrupt = () => {
    for (const timed of times.flush()) add(timed)
    finishPart()
    heard.clear()
    lastMs = null
  }

  const isGap = ({ timeMs }: PackagerPacket): boolean => {
    const gapMs = lastMs === null ? 0 : timeMs - lastMs
    // A stream may have less than a picture a second.
    return gapMs >= LONGEST_GAP_MS && gapMs > 2 * intervalMs
  }

  const configure = (next: Parameters) => {
    parameters = next
    const { codec, parameterSets } = next
    const video = codec === 'h264' || codec === 'h265' ? trackConfig(codec, parameterSets) : null
    const audio = (hasAudio && next.audio) || null
    // A new connection to the same stream needs no new init segment.
    const isSame = tracks && video?.sampleEntry.equals(tracks.video.sampleEntry) && isSameAudio(tracks.audio, audio)
    if (!isSame) tracks = video && { video, audio }
  }

  return {
    opened() {
      interrupt()
      intervalMs = Number.POSITIVE_INFINITY
      origin = endTicks
      parameters = null
    },
    packet(packet) {
      if (isGap(packet)) interrupt()
      const discontinuity = lastMs === null
      if (discontinuity && !packet.keyframe) return
      if (packet.parameters !== parameters) configure(packet.parameters)
      const nals = tracks && packet.parameters.split(packet.data())
      const { keyframe, timeMs } = packet
      const video = tracks?.video
      const data = video && nals && sampleData(video.codec, nals, { keyframe, known: video.parameterSets })
      if (tracks === null || !data) return
      if (discontinuity) startMs = timeMs
      if (lastMs !== null && timeMs > lastMs) intervalMs = timeMs - lastMs
      lastMs = Math.max(timeMs, lastMs ?? 0)
      const pts = origin + Math.round(timeMs * TICKS_PER_MS)
      for (const timed of times.push({ keyframe, data, tracks, timeMs, discontinuity }, pts)) add(timed)
    },
    audio({ timeMs, data }) {
      // A track begins with a picture.
      if (!hasAudio || lastMs === null || timeMs < startMs) return
      heard.add(origin + Math.round(timeMs * TICKS_PER_MS), data)
    },
    closed: interrupt,
  }
}

/** Audio of no part yet. */
function createHeardAudio() {
  /** With its time in ticks of 90 kHz. */
  let heard: { readonly ticks: number; readonly data: Buffer }[] = []
  /** End of the audio of the last part in its own ticks. */
  let endTicks = 0
  return {
    add: (ticks: number, data: Buffer) => heard.push({ ticks, data }),
    clear() {
      heard = []
    },
    /** Another sample rate counts other ticks. */
    restart() {
      endTicks = 0
    },
    take({ audio }: Tracks, beforeTicks: number): AudioSamples | null {
      const count = heard.findLastIndex(({ ticks }) => ticks < beforeTicks) + 1
      const [first, ...others] = heard.slice(0, count)
      heard = heard.slice(count)
      if (!audio || !first) return null
      const at = Math.round((first.ticks * audio.sampleRate) / TIMESCALE)
      // The track has no gaps; rounding must not make any.
      const dts = at - endTicks > FRAME_SAMPLES / 2 ? at : Math.max(endTicks, 0)
      const data = [first, ...others].map((one) => one.data)
      endTicks = dts + data.length * FRAME_SAMPLES
      return { dts, frameTicks: FRAME_SAMPLES, data }
    },
  }
}

const isSameAudio = (a: AudioConfig | null, b: AudioConfig | null): boolean =>
  a === null || b === null ? a === b : a.sampleEntry.equals(b.sampleEntry)
