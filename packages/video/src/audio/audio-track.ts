import { openAacEncoder } from './aac-encoder.ts'
import { type AudioConfig, type AudioPacket, audioConfig, FRAME_SAMPLES, isAacRate } from './audio-config.ts'
import { decodeG711, type Law } from './g711.ts'

/** The audio of a source. */
export type AudioFormat =
  /** `specific`: AudioSpecificConfig. */
  | { readonly codec: 'aac'; readonly specific: Buffer }
  /** One channel. `sampleRate`: Hz. */
  | { readonly codec: Law; readonly sampleRate: number }

/** The requested audio of a source. `absent`: it has none. `format`: browsers do not play it, nor is it encoded. */
export type GivenAudio = AudioFormat | 'absent' | 'format'

/** AAC without gaps. Stream times are those of the video. */
export interface AudioTrack {
  readonly config: AudioConfig
  /**
   * Adds a packet of the source. `startMs`: stream time of its first sample. Silence replaces missing audio. A packet
   * that lies before the end of the track is dropped. Returns the finished access units.
   */
  push(data: Buffer, startMs: number): readonly AudioPacket[]
  /** Adds silence when the track ends long before this stream time. */
  follow(videoMs: number): readonly AudioPacket[]
  /** Duration of a packet. */
  durationMs(data: Buffer): number
  close(): void
}

/** Difference between the time of a packet and the end of the track that is accepted. */
const TOLERANCE_MS = 150
/** A track that is further behind the video gets silence, because players wait for both tracks. */
const LONGEST_LAG_MS = 600
const LAG_AFTER_SILENCE_MS = 300
/** After a longer interruption the track begins again at a later time: filling it takes much work at once. */
const LONGEST_SILENCE_MS = 10_000

/** null: a format that cannot become AAC-LC. */
export function createAudioTrack(format: AudioFormat): AudioTrack | null {
  return format.codec === 'aac' ? passing(format.specific) : encoding(format.codec, format.sampleRate)
}

type Added = Buffer | { readonly silentSamples: number }

interface Samples {
  readonly config: AudioConfig
  /** Number of samples in a packet. */
  count(data: Buffer): number
  /** Returns finished access units; each is FRAME_SAMPLES long. */
  add(added: Added): readonly Buffer[]
  /** Samples by which the first unit lies before the first added sample. */
  readonly leadSamples: number
  close(): void
}

/** Keeps the access units of a source. */
function passing(specific: Buffer): AudioTrack | null {
  const config = audioConfig(specific)
  if (!config) return null
  const silence = silentUnit(config)
  return trackOf({
    config,
    leadSamples: 0,
    count: () => FRAME_SAMPLES,
    add(added) {
      if (Buffer.isBuffer(added)) return [Buffer.from(added)]
      return Array.from({ length: added.silentSamples / FRAME_SAMPLES }, () => silence)
    },
    close() {},
  })
}

/** A unit of silence behind another one. */
function silentUnit({ sampleRate, channels }: AudioConfig): Buffer {
  const encoder = openAacEncoder(sampleRate, channels)
  const samples = new Float32Array(FRAME_SAMPLES * channels)
  const units = [1, 2, 3, 4].flatMap(() => encoder.encode(samples))
  encoder.close()
  return units.at(-1) ?? Buffer.alloc(0)
}

/** Makes access units of G.711. */
function encoding(law: Law, sampleRate: number): AudioTrack | null {
  if (!isAacRate(sampleRate)) return null
  const encoder = openAacEncoder(sampleRate, 1)
  const config = audioConfig(encoder.specific)
  if (!config) {
    encoder.close()
    return null
  }
  const block = new Float32Array(FRAME_SAMPLES)
  let filled = 0

  const fill = (count: number, write: (from: number, to: number) => void): Buffer[] => {
    const units: Buffer[] = []
    for (let from = 0; from < count; ) {
      const to = Math.min(count, from + FRAME_SAMPLES - filled)
      write(from, to)
      filled += to - from
      from = to
      if (filled < FRAME_SAMPLES) break
      units.push(...encoder.encode(block))
      filled = 0
    }
    return units
  }

  return trackOf({
    config,
    // The first unit holds no sound.
    leadSamples: FRAME_SAMPLES,
    count: ({ length }) => length,
    add: (added) =>
      Buffer.isBuffer(added)
        ? fill(added.length, (from, to) => decodeG711(law, added.subarray(from, to), block, filled))
        : fill(added.silentSamples, (from, to) => block.fill(0, filled, filled + to - from)),
    close: encoder.close,
  })
}

function trackOf({ config, count, add, leadSamples, close }: Samples): AudioTrack {
  const msOf = (samples: number) => (samples * 1000) / config.sampleRate
  /** Stream time of the first added sample; null: none was added. */
  let originMs: number | null = null
  let addedSamples = 0
  let units = 0

  const endMs = () => (originMs ?? 0) + msOf(addedSamples)
  const begin = (startMs: number) => {
    originMs = startMs - msOf(addedSamples)
  }
  const take = (added: Added, samples: number): AudioPacket[] => {
    const done = add(added)
    addedSamples += samples
    return done.map((data) => {
      const timeMs = (originMs ?? 0) + msOf(units++ * FRAME_SAMPLES - leadSamples)
      return { timeMs, config, data }
    })
  }
  const silence = (durationMs: number): AudioPacket[] => {
    const frames = Math.round((durationMs * config.sampleRate) / 1000 / FRAME_SAMPLES)
    const silentSamples = frames * FRAME_SAMPLES
    return frames > 0 ? take({ silentSamples }, silentSamples) : []
  }

  return {
    config,
    push(data, startMs) {
      if (originMs === null || startMs - endMs() > LONGEST_SILENCE_MS) begin(startMs)
      const missingMs = startMs - endMs()
      if (missingMs < -TOLERANCE_MS) return []
      const filled = missingMs > TOLERANCE_MS ? silence(missingMs) : []
      return [...filled, ...take(data, count(data))]
    },
    follow(videoMs) {
      if (originMs === null) begin(videoMs)
      else if (videoMs - endMs() > LONGEST_SILENCE_MS) begin(videoMs - LAG_AFTER_SILENCE_MS)
      const lagMs = videoMs - endMs()
      return lagMs > LONGEST_LAG_MS ? silence(lagMs - LAG_AFTER_SILENCE_MS) : []
    },
    durationMs: (data) => msOf(count(data)),
    close,
  }
}
