import { openAacEncoder } from '@vigia/video/audio/aac-encoder'
import { FRAME_SAMPLES } from '@vigia/video/audio/audio-config'
import { encodeG711 } from '@vigia/video/audio/g711'
import { createRtpStream } from './rtp-stream.ts'
import type { MediaTransport } from './transport.ts'

/** Formats of the simulated microphone. */
export const audioKinds = ['pcma', 'pcmu', 'aac', 'latm'] as const
export type AudioKind = (typeof audioKinds)[number]

/** A tone that repeats without end. */
export interface EncodedAudio {
  readonly payloadType: number
  /** `a=rtpmap` and `a=fmtp` without the payload type; null: a static type (RFC 3551). */
  readonly rtpmap: string | null
  readonly fmtp: string | null
  /** Hz; also the RTP clock. */
  readonly rate: number
  readonly samplesPerPacket: number
  readonly payloads: readonly Buffer[]
}

const TONE_HZ = 440
const VOLUME = 0.3
const G711 = { pcma: 8, pcmu: 0 } as const
const G711_RATE = 8_000
/** 20 ms. A second has a whole number of periods and of packets. */
const G711_SAMPLES = 160
const AAC_RATE = 16_000
const AAC_TYPE = 97
const AAC_FRAMES = 32

const tone = (rate: number, at: number): number => VOLUME * Math.sin((2 * Math.PI * TONE_HZ * at) / rate)

export function encodeTone(kind: AudioKind): EncodedAudio {
  if (kind === 'aac' || kind === 'latm') return aacTone(kind)
  const codes = Buffer.from(Array.from({ length: G711_RATE }, (_, i) => encodeG711(kind, tone(G711_RATE, i))))
  const count = G711_RATE / G711_SAMPLES
  const payloads = Array.from({ length: count }, (_, i) => codes.subarray(i * G711_SAMPLES, (i + 1) * G711_SAMPLES))
  const format = { payloadType: G711[kind], rtpmap: null, fmtp: null }
  return { ...format, rate: G711_RATE, samplesPerPacket: G711_SAMPLES, payloads }
}

/** One access unit a packet: MPEG4-GENERIC in the mode AAC-hbr (RFC 3640 3.3.6), or MP4A-LATM (RFC 6416 6). */
function aacTone(kind: 'aac' | 'latm'): EncodedAudio {
  const encoder = openAacEncoder(AAC_RATE, 1)
  const units: Buffer[] = []
  const samples = new Float32Array(FRAME_SAMPLES)
  for (let frame = 0; frame <= AAC_FRAMES; frame++) {
    for (let i = 0; i < FRAME_SAMPLES; i++) samples[i] = tone(AAC_RATE, frame * FRAME_SAMPLES + i)
    units.push(...encoder.encode(samples))
  }
  const { specific } = encoder
  encoder.close()
  const isLatm = kind === 'latm'
  const config = (isLatm ? streamMuxConfig(specific) : specific).toString('hex').toUpperCase()
  const header = isLatm ? payloadLength : accessUnitHeader
  const mode = 'streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3'
  return {
    payloadType: AAC_TYPE,
    rtpmap: `${isLatm ? 'MP4A-LATM' : 'MPEG4-GENERIC'}/${AAC_RATE}/1`,
    fmtp: `${isLatm ? 'profile-level-id=1;cpresent=0' : mode};config=${config}`,
    rate: AAC_RATE,
    samplesPerPacket: FRAME_SAMPLES,
    // The first unit holds no sound.
    payloads: units.slice(1).map((unit) => Buffer.concat([header(unit.length), unit])),
  }
}

/** ISO/IEC 14496-3 1.7.3.1: one program, one layer, 16 bits of AudioSpecificConfig, no other data. */
function streamMuxConfig(specific: Buffer): Buffer {
  const config = Buffer.alloc(6)
  // 15 bits precede the configuration; frameLengthType 0 and latmBufferFullness 255 follow it.
  const bits = (0x2000n << 33n) | (BigInt(specific.readUInt16BE(0)) << 17n) | (0xffn << 6n)
  config.writeUIntBE(Number(bits), 0, 6)
  return config
}

/** PayloadLengthInfo (ISO/IEC 14496-3 1.7.3.2). */
const payloadLength = (bytes: number): Buffer =>
  Buffer.from([...Array.from({ length: Math.floor(bytes / 255) }, () => 255), bytes % 255])

/** The length of the headers in bits, then one header: 13 bits of size, 3 of index. */
function accessUnitHeader(bytes: number): Buffer {
  const header = Buffer.from([0, 16, 0, 0])
  header.writeUInt16BE(bytes << 3, 2)
  return header
}

export interface AudioPlayback {
  readonly ssrc: string
  play(): void
  pause(): void
}

/** Sends the tone to one session. `now`: monotonic ms. */
export function createAudioPlayback(audio: EncodedAudio, transport: MediaTransport, now: () => number): AudioPlayback {
  const { payloadType, payloads, rate, samplesPerPacket } = audio
  const stream = createRtpStream(payloadType)
  let timer: NodeJS.Timeout | undefined
  let beganMs = 0
  let sent = 0

  const dueMs = () => beganMs + ((sent + 1) * samplesPerPacket * 1000) / rate

  function step(): void {
    for (; dueMs() <= now(); sent++) {
      const payload = payloads[sent % payloads.length]
      if (!payload || transport.congested()) continue
      transport.sendPackets(stream.packets([payload], sent * samplesPerPacket))
    }
    timer = setTimeout(step, Math.max(1, dueMs() - now()))
  }

  return {
    ssrc: stream.ssrc,
    play() {
      clearTimeout(timer)
      beganMs = now() - (sent * samplesPerPacket * 1000) / rate
      step()
    },
    pause: () => clearTimeout(timer),
  }
}
