import { setTimeout as delay } from 'node:timers/promises'
import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_NONE,
  AV_CODEC_ID_PCM_ALAW,
  AV_CODEC_ID_PCM_MULAW,
  AV_NOPTS_VALUE,
  AVERROR_EOF,
  AVERROR_INVALIDDATA,
} from 'node-av/constants'
import { avGetCodecName, Packet } from 'node-av/lib'
import type { GivenAudio } from './audio/audio-track.ts'
import { plausibleRate } from './decode.ts'
import { readFailure } from './failure.ts'
import { isOtherPicture, startCodeFormat } from './nal-units.ts'
import { openInput, type VideoInput } from './open-input.ts'
import { type StreamParameters, stampPacket } from './packet.ts'
import type { Interruption, Outcome, PacketSink, PacketSource, SourceOptions } from './packet-source.ts'
import type { Source } from './source.ts'
import { type PacketProgress, packetsStalled } from './stall.ts'
import { formatOf } from './video-codecs.ts'

const EAGAIN = -11
/** Pause after EAGAIN from the demuxer, against a busy loop. */
const againPauseMs = 5
const defaultFps = 25
/** Largest number of consecutive damaged packets that are skipped. */
const maxBadReads = 100

/** Packets from FFmpeg's demuxer: RTSP over TCP or UDP, and files. */
export function createFfmpegSource(source: Source, options: SourceOptions): PacketSource {
  let playing: VideoInput | null = null
  let early: Interruption | null = null
  const progress: PacketProgress = {
    openedAt: null,
    firstPacketAt: null,
    lastPacketAt: null,
    keyframeSeen: false,
    lastSkippedAt: null,
  }
  return {
    heldPictures: 1,
    async run(sink, signal) {
      const opened = await openInput(source, options, signal)
      if (!opened.ok) return opened.end
      const { input } = opened
      try {
        const audio = options.audio === true ? audioFormatOf(input) : undefined
        await sink.opened({ ...parametersOf(input), ...(source.kind === 'rtsp' && { leitura: 'ffmpeg' }) }, audio)
        if (early !== null) return early
        playing = input
        progress.openedAt = performance.now()
        return await pump(source, input, sink, progress)
      } finally {
        await input.close()
      }
    },
    interrupt(reason) {
      if (playing) playing.interrupt(reason)
      // No read is pending: without an interrupt FFmpeg sends TEARDOWN to the peer.
      else early ??= reason
    },
    judge: (now) => packetsStalled(progress, now, options.stallTimeoutMs),
  }
}

function parametersOf({ stream, encodingName }: VideoInput): StreamParameters {
  const { codecpar } = stream
  const { codec, format } = formatOf(codecpar)
  const known = codecpar.codecId === AV_CODEC_ID_NONE ? null : avGetCodecName(codecpar.codecId)
  return {
    codec,
    // The name comes from the peer's SDP: only harmless characters are kept.
    codecLabel: (encodingName ?? known)?.replace(/[^\w.+-]/g, '').slice(0, 32) || null,
    parameterSets: format?.parameterSets ?? [],
    fps: plausibleRate(stream.avgFrameRate),
    split: (data) => format?.split(data) ?? null,
    native: () => codecpar,
  }
}

/** Recognises pictures without a keyframe, for which the connection waits; other data of this kind is no video. */
function pictureTest({ stream }: VideoInput): (packet: Packet) => boolean {
  const { codec, format } = formatOf(stream.codecpar)
  const split = format?.split ?? startCodeFormat.split
  if (codec !== 'h264' && codec !== 'h265') return () => false
  return ({ data }) => data !== null && (split(data) ?? []).some((nal) => isOtherPicture(codec, nal))
}

function audioFormatOf({ audio }: VideoInput): GivenAudio {
  if (!audio) return 'absent'
  const { codecId, extradata, sampleRate, channels } = audio.codecpar
  if (codecId === AV_CODEC_ID_AAC) return extradata ? { codec: 'aac', specific: Buffer.from(extradata) } : 'format'
  const law = codecId === AV_CODEC_ID_PCM_ALAW ? 'pcma' : codecId === AV_CODEC_ID_PCM_MULAW ? 'pcmu' : null
  return law && channels === 1 ? { codec: law, sampleRate } : 'format'
}

async function pump(source: Source, input: VideoInput, sink: PacketSink, progress: PacketProgress): Promise<Outcome> {
  const live = source.kind === 'rtsp'
  const { num, den } = input.stream.timeBase
  const isPicture = pictureTest(input)
  const packet = new Packet()
  packet.alloc()
  let packets = 0
  let badReads = 0
  let originMs = 0

  /**
   * FFmpeg counts from the first RTP packet, and its parser drops the time of that packet. It treats an RTP time of 0
   * as missing and then counts from the second packet.
   */
  const ptsMs = (): number | null => {
    const pts = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts
    if (pts === AV_NOPTS_VALUE) return live && packets === 1 ? 0 : null
    const ms = (Number(pts) * 1000 * num) / den
    if (live && packets === 2 && ms === 0) originMs = 1000 / (plausibleRate(input.stream.avgFrameRate) ?? defaultFps)
    return ms + originMs
  }
  const deliverAudio = () => {
    const { num: ticks, den: perSecond } = input.audio?.timeBase ?? { num: 1, den: 1000 }
    const { pts, data } = packet
    if (data) sink.audio?.({ ptsMs: pts === AV_NOPTS_VALUE ? null : (Number(pts) * 1000 * ticks) / perSecond, data })
  }
  const deliver = (): Promise<unknown> | undefined => {
    packets++
    const now = performance.now()
    progress.firstPacketAt ??= now
    progress.lastPacketAt = now
    const keyframe = packet.isKeyframe
    progress.keyframeSeen ||= keyframe
    if (!progress.keyframeSeen && isPicture(packet)) progress.lastSkippedAt = now
    return sink.packet({
      keyframe,
      ptsMs: ptsMs(),
      bytes: packet.size,
      missing: false,
      data: () => packet.data ?? Buffer.alloc(0),
      native: (timeMs) => stampPacket(packet, timeMs),
    })
  }

  try {
    for (;;) {
      if (input.interruption !== null) return input.interruption
      const code = await input.read(packet)
      if (input.interruption !== null) return input.interruption
      if (code === EAGAIN) {
        await delay(againPauseMs)
        continue
      }
      if (code === AVERROR_INVALIDDATA && ++badReads < maxBadReads) continue
      if (code < 0) return !live && code === AVERROR_EOF ? 'end' : readFailure(code, packets)
      badReads = 0
      if (packet.streamIndex === input.stream.index) await deliver()
      else if (packet.streamIndex === input.audio?.index) deliverAudio()
      packet.unref()
    }
  } finally {
    packet.free()
  }
}
