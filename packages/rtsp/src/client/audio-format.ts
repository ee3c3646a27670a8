import { createBitReader } from '../bit-reader.ts'
import type { SdpAudio } from '../sdp.ts'

/** A format of audio that this client reads. */
export type RtspAudioFormat =
  /** `specific`: AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1). */
  | { readonly codec: 'aac'; readonly specific: Buffer }
  /** ITU-T G.711, one channel. `sampleRate`: Hz. */
  | { readonly codec: 'pcma' | 'pcmu'; readonly sampleRate: number }

/** Turns the payloads of one source into packets of the codec. */
export interface AudioPayloads {
  /** `marker`: the last payload of its packets. Returns whole packets in their own memory. */
  take(payload: Buffer, marker: boolean): readonly Buffer[]
  /** Payloads before the next one are missing. */
  lost(): void
}

export interface AudioFormatReader {
  readonly format: RtspAudioFormat
  /** Hz of the RTP clock. */
  readonly clockRate: number
  /** Samples of one packet by the RTP clock; null: one packet a payload. */
  readonly packetTicks: number | null
  readonly payloads: AudioPayloads
}

const G711_RATE = 8_000
/** Samples of an AAC unit (ISO/IEC 14496-3 with frameLengthFlag 0). */
const AAC_SAMPLES = 1024
/** Two channels of AAC have at most 2 × 768 bytes a unit (ISO/IEC 14496-3 4.5.3). */
const MAX_UNIT_BYTES = 8 * 1024
/** Largest sum of the payloads that make one unit. */
const MAX_HELD_BYTES = 64 * 1024

/** Null: a format that this client does not read. */
export function readAudioFormat(audio: SdpAudio): AudioFormatReader | null {
  if (audio.encoding === 'pcma' || audio.encoding === 'pcmu') return g711(audio.encoding, audio)
  if (audio.encoding === 'mpeg4-generic') return generic(audio)
  return audio.encoding === 'mp4a-latm' ? latm(audio) : null
}

/** RFC 3551 4.5.14: each payload is a packet. */
function g711(codec: 'pcma' | 'pcmu', { clockRate, channels }: SdpAudio): AudioFormatReader | null {
  if (channels !== 1) return null
  const sampleRate = clockRate ?? G711_RATE
  const payloads: AudioPayloads = { take: (payload) => [Buffer.from(payload)], lost() {} }
  return { format: { codec, sampleRate }, clockRate: sampleRate, packetTicks: null, payloads }
}

function aac(specific: Buffer | null, clockRate: number | null, payloads: AudioPayloads): AudioFormatReader | null {
  if (specific === null || specific.length < 2 || clockRate === null) return null
  return { format: { codec: 'aac', specific }, clockRate, packetTicks: AAC_SAMPLES, payloads }
}

/** RFC 3640 in its modes for AAC (3.3.5, 3.3.6), without interleaving. */
function generic({ fmtp, clockRate }: SdpAudio): AudioFormatReader | null {
  // Some cameras name the mode alone.
  const isLow = fmtp.get('mode')?.toLowerCase() === 'aac-lbr'
  const bitsOf = (name: string, usual: number): number => {
    const given = fmtp.get(name)
    return given !== undefined && /^\d{1,2}$/.test(given) ? Math.min(Number(given), 32) : usual
  }
  const size = bitsOf('sizelength', isLow ? 6 : 13)
  const index = bitsOf('indexlength', isLow ? 2 : 3)
  const delta = bitsOf('indexdeltalength', isLow ? 2 : 3)
  return size === 0 ? null : aac(hex(fmtp.get('config')), clockRate, genericPayloads(size, index, delta))
}

function genericPayloads(sizeBits: number, indexBits: number, deltaBits: number): AudioPayloads {
  const held = createHeld()
  /** Sizes from the headers of the units (RFC 3640 3.2.1), and the first byte behind the headers. */
  const readHeaders = (payload: Buffer): { readonly sizes: readonly number[]; readonly from: number } => {
    const bits = payload.length < 2 ? 0 : payload.readUInt16BE(0)
    const from = 2 + Math.ceil(bits / 8)
    const reader = createBitReader(payload.subarray(2, from))
    const sizes: number[] = []
    for (let left = bits; left >= sizeBits; left -= sizeBits + (sizes.length === 1 ? indexBits : deltaBits)) {
      sizes.push(reader.bits(sizeBits))
      reader.skip(sizes.length === 1 ? indexBits : deltaBits)
    }
    return { sizes, from }
  }
  return {
    lost: held.clear,
    take(payload) {
      const { sizes, from } = readHeaders(payload)
      const [only = 0] = sizes
      if (sizes.length === 1 && (held.bytes > 0 || only > payload.length - from)) {
        // Each fragment states the size of the whole unit.
        held.add(payload.subarray(from))
        const unit = held.bytes >= only ? held.take() : null
        return unit && isUnit(only) ? [unit.subarray(0, only)] : []
      }
      held.clear()
      let at = from
      return sizes.flatMap((size) => {
        const unit = payload.subarray(at, at + size)
        at += size
        return isUnit(size) && unit.length === size ? [Buffer.from(unit)] : []
      })
    },
  }
}

const isUnit = (bytes: number): boolean => bytes > 0 && bytes <= MAX_UNIT_BYTES

/** RFC 6416 6 with the configuration in the description. */
function latm({ fmtp, clockRate }: SdpAudio): AudioFormatReader | null {
  const config = fmtp.get('cpresent') === '0' ? hex(fmtp.get('config')) : null
  return aac(config && specificOfMux(config), clockRate, latmPayloads())
}

/** The AudioSpecificConfig in a StreamMuxConfig (ISO/IEC 14496-3 1.7.3): one program with one layer of AAC-LC. */
function specificOfMux(config: Buffer): Buffer | null {
  const reader = createBitReader(config)
  const version = reader.bits(1)
  const hasSameTiming = reader.bits(1)
  reader.skip(6)
  const furtherPrograms = reader.bits(4)
  const furtherLayers = reader.bits(3)
  if (version !== 0 || hasSameTiming !== 1 || furtherPrograms !== 0 || furtherLayers !== 0) return null
  const specific = Buffer.alloc(2)
  specific.writeUInt16BE(reader.bits(16))
  return reader.exhausted ? null : specific
}

function latmPayloads(): AudioPayloads {
  const held = createHeld()
  return {
    lost: held.clear,
    take(payload, marker) {
      held.add(payload)
      const frames = marker ? held.take() : null
      if (!frames) return []
      const units: Buffer[] = []
      for (let at = 0; at < frames.length; ) {
        // PayloadLengthInfo: bytes of 255, then a smaller one.
        let size = 0
        let byte = 255
        while (byte === 255) {
          byte = frames[at++] ?? 0
          size += byte
        }
        if (!isUnit(size) || at + size > frames.length) break
        units.push(frames.subarray(at, at + size))
        at += size
      }
      return units
    },
  }
}

/** Payloads that wait for the rest of their unit, at most MAX_HELD_BYTES. */
function createHeld() {
  let parts: Buffer[] = []
  let bytes = 0
  const clear = () => {
    parts = []
    bytes = 0
  }
  return {
    clear,
    add(payload: Buffer): void {
      if (bytes + payload.length > MAX_HELD_BYTES) clear()
      parts.push(Buffer.from(payload))
      bytes += payload.length
    },
    take(): Buffer {
      const whole = Buffer.concat(parts)
      clear()
      return whole
    },
    get bytes() {
      return bytes
    },
  }
}

/** Null: no hexadecimal bytes. */
function hex(text: string | undefined): Buffer | null {
  const digits = text?.replace(/^"(.*)"$/, '$1') ?? ''
  return /^([\da-f]{2}){2,64}$/i.test(digits) ? Buffer.from(digits, 'hex') : null
}
