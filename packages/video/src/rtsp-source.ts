import type { Perdas } from '@vigia/contracts/transporte'
import {
  openRtspSession,
  type RtpTransport,
  type RtspAccessUnit,
  type RtspAudioPacket,
  type RtspParameters,
} from '@vigia/rtsp/client'
import { type CodecParameters, Packet } from 'node-av/lib'
import type { GivenAudio } from './audio/audio-track.ts'
import { annexB, annexBBytes, codecParametersOf } from './codec-parameters.ts'
import { streamEnd } from './failure.ts'
import { ownCopy, startCodeFormat } from './nal-units.ts'
import { type StreamParameters, stampPacket } from './packet.ts'
import type { Interruption, PacketSource, SourceOptions } from './packet-source.ts'

/**
 * Largest size of the access units that wait for an awaited reader: half a minute at 4 Mbit/s. Above it they are
 * dropped up to the next keyframe.
 */
const defaultMaxWaitingBytes = 16 * 1024 * 1024
/** RTP clock of both codecs (RFC 6184 8.2.1, RFC 7798 7.1). */
const ticksPerMs = 90

type Waiting =
  | {
      readonly unit: RtspAccessUnit
      readonly bytes: number
      /** Units before this one are missing. */
      readonly missing: boolean
    }
  | { readonly audio: RtspAudioPacket; readonly bytes: number }

interface RtspSourceOptions extends SourceOptions {
  readonly maxWaitingBytes?: number
}

/** Packets from the RTSP client of this project. The client detects stalls itself. */
export function createRtspSource(url: string, options: RtspSourceOptions): PacketSource {
  const {
    transport,
    keepAlive = 'listed',
    audio = false,
    openTimeoutMs,
    stallTimeoutMs,
    maxWaitingBytes = defaultMaxWaitingBytes,
  } = options
  const stop = new AbortController()
  let interruption: Interruption | null = null
  const interrupt = (reason: Interruption) => {
    interruption ??= reason
    stop.abort()
  }
  return {
    heldPictures: 0,
    interrupt,
    async run(sink, signal) {
      const native = createNative()
      const queue = createQueue(maxWaitingBytes)
      let parameters: RtspParameters | null = null
      let heard: GivenAudio | undefined
      let opened = false
      let leitura: RtpTransport = 'tcp'
      let perdas: Perdas | null = null
      let delivery = Promise.resolve()
      let isDelivering = false
      const defects: unknown[] = []

      const deliver = async () => {
        try {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            if ('audio' in next) {
              if (opened) sink.audio?.(next.audio)
              continue
            }
            if (!opened && parameters !== null) {
              opened = true
              await sink.opened({ ...native.parameters(parameters), leitura, perdas: () => perdas }, heard)
            }
            if (interruption !== null || signal.aborted) return
            const { unit, bytes, missing } = next
            const data = onDemand(() => annexB(unit.nals, bytes))
            await sink.packet({
              keyframe: unit.keyframe,
              ptsMs: unit.ticks / ticksPerMs,
              bytes,
              missing,
              data,
              native: (timeMs) => native.packet(data(), unit.keyframe, timeMs),
            })
          }
        } catch (error) {
          defects.push(error)
          interrupt('aborted')
        } finally {
          isDelivering = false
        }
      }

      const continueIf = (isAdded: boolean) => {
        if (!isAdded || isDelivering) return
        isDelivering = true
        delivery = deliver()
      }

      try {
        const outcome = await openRtspSession({
          url,
          transport,
          keepAlive,
          openTimeoutMs,
          stallTimeoutMs,
          signal: AbortSignal.any([signal, stop.signal]),
          onAccessUnit: (unit) => continueIf(queue.unit(unit)),
          // While a reader is busy, its next packet is the sign that the stream is read.
          onSkipped: () => isDelivering || sink.skipped?.(),
          onParameters: (next) => {
            parameters = next
          },
          ...(audio && {
            audio: {
              onFormat: (format) => {
                heard = format
              },
              onPacket: (packet) => continueIf(queue.audio(packet)),
            },
          }),
          onTransport: (granted) => {
            leitura = granted
          },
          onLosses: ({ lost, received, jitterMs }) => {
            perdas = { perdidos: lost, esperados: lost + received, jitter_ms: Math.round(jitterMs * 10) / 10 }
          },
        })
        await delivery
        if (defects.length > 0) throw defects[0]
        if (interruption !== null) return interruption
        return typeof outcome === 'string' ? outcome : streamEnd(outcome.failure, outcome.detail)
      } finally {
        await delivery
        native.free()
      }
    },
  }
}

/** Packets that wait for the reader. Audio keeps its place among the pictures, whose arrival aligns it. */
function createQueue(maxBytes: number) {
  let waiting: Waiting[] = []
  let waitingBytes = 0
  /** Up to the next keyframe, because the queue was full. */
  let skipping = false
  const makeSpace = (bytes: number) => {
    if (waitingBytes + bytes <= maxBytes) return
    waiting = []
    waitingBytes = 0
    skipping = true
  }
  const add = (next: Waiting): true => {
    waiting.push(next)
    waitingBytes += next.bytes
    return true
  }
  return {
    /** False: dropped. */
    unit(unit: RtspAccessUnit): boolean {
      const bytes = annexBBytes(unit.nals)
      makeSpace(bytes)
      if (skipping && !unit.keyframe) return false
      const missing = skipping || (unit.discontinuity && unit.keyframe)
      skipping = false
      return add({ unit, bytes, missing })
    },
    /** False: dropped. */
    audio(audio: RtspAudioPacket): boolean {
      makeSpace(audio.data.length)
      return !skipping && add({ audio, bytes: audio.data.length })
    },
    shift(): Waiting | undefined {
      const next = waiting.shift()
      waitingBytes -= next?.bytes ?? 0
      return next
    },
  }
}

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

interface Native {
  parameters(parameters: RtspParameters): StreamParameters
  packet(data: Buffer, keyframe: boolean, timeMs: number): Packet
  free(): void
}

/** FFmpeg objects of the client's units, created on demand. */
function createNative(): Native {
  let codecpar: CodecParameters | null = null
  let packet: Packet | null = null
  return {
    parameters: ({ codec, parameterSets }) => ({
      codec,
      codecLabel: codec.toUpperCase(),
      parameterSets: parameterSets.map(ownCopy),
      fps: null,
      split: startCodeFormat.split,
      native() {
        codecpar ??= codecParametersOf(codec, parameterSets)
        return codecpar
      },
    }),
    packet(data, keyframe, timeMs) {
      if (packet === null) {
        packet = new Packet()
        packet.alloc()
      }
      packet.unref()
      packet.data = data
      packet.isKeyframe = keyframe
      return stampPacket(packet, timeMs)
    },
    free() {
      packet?.free()
      codecpar?.free()
    },
  }
}
