import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AV_LOG_QUIET, AV_LOG_WARNING, AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO } from 'node-av/constants'
import { Codec, CodecContext, FormatContext, Frame, Log, Packet, type Stream } from 'node-av/lib'

export interface InspectedPicture {
  readonly keyframe: boolean
  /** Ticks of 90 kHz. */
  readonly pts: number
  readonly dts: number
  readonly duration: number
}

export interface InspectedAudio {
  readonly codec: string
  /** Hz. */
  readonly sampleRate: number
  /** Seconds, as FFmpeg's demuxer reads them: start of the first packet, and of the end of the last one. */
  readonly start: number
  readonly end: number
  /** Packets that do not begin where the one before ended. */
  readonly gaps: number
  /** First channel, from -1 to 1. */
  readonly samples: readonly number[]
}

export interface InspectedMp4 {
  readonly codec: string
  readonly width: number
  readonly height: number
  /** Tag of the sample entry: `avc1`, `hvc1`. */
  readonly tag: string
  readonly extradata: Buffer
  /** Seconds; of the whole file. */
  readonly duration: number
  /** As FFmpeg's demuxer reads them. */
  readonly pictures: readonly InspectedPicture[]
  /** Pictures that leave FFmpeg's decoder. */
  readonly decoded: number
  /** null: no audio track. */
  readonly audio: InspectedAudio | null
  /** Warnings and errors of FFmpeg. */
  readonly messages: readonly string[]
}

const END = -541_478_725

/** Demuxes and decodes an MP4 with FFmpeg. */
export async function inspectMp4(bytes: Buffer): Promise<InspectedMp4> {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-mp4-'))
  const messages: string[] = []
  Log.setLevel(AV_LOG_WARNING)
  Log.setCallback((level, message) => level <= AV_LOG_WARNING && messages.push(message.trim()), {
    maxLevel: AV_LOG_WARNING,
  })
  try {
    await writeFile(join(folder, 'file.mp4'), bytes)
    return { ...(await read(join(folder, 'file.mp4'))), messages }
  } finally {
    Log.resetCallback()
    Log.setLevel(AV_LOG_QUIET)
    await rm(folder, { recursive: true, force: true })
  }
}

async function read(file: string): Promise<Omit<InspectedMp4, 'messages'>> {
  const input = new FormatContext()
  input.allocContext()
  const packet = new Packet()
  packet.alloc()
  const frame = new Frame()
  frame.alloc()
  const decoders: CodecContext[] = []
  const open = async ({ codecpar }: Stream) => {
    const codec = Codec.findDecoder(codecpar.codecId)
    if (!codec) throw new Error('no decoder')
    const context = new CodecContext()
    decoders.push(context)
    context.allocContext3(codec)
    context.parametersToContext(codecpar)
    context.threadCount = 1
    await context.open2(codec, null)
    return { context, name: codec.name ?? '' }
  }
  try {
    const opened = await input.openInput(file)
    if (opened < 0) throw new Error(`not readable: ${opened}`)
    await input.findStreamInfo(null)
    const sound = input.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO)
    const stream = input.streams.find((one) => one !== sound)
    if (!stream) throw new Error('no stream')
    const { codecpar, timeBase } = stream
    const { context, name } = await open(stream)
    const heard = sound && (await open(sound))
    const samples: number[] = []
    const spans: { readonly start: number; readonly end: number }[] = []
    const listen = async () => {
      while (heard && (await heard.context.receiveFrame(frame)) >= 0) {
        const plane = frame.data?.[0] ?? Buffer.alloc(0)
        for (let i = 0; i < frame.nbSamples; i++) samples.push(plane.readFloatLE(i * 4))
        frame.unref()
      }
    }
    const ticks = (value: bigint) =>
      value === AV_NOPTS_VALUE ? Number.NaN : (Number(value) * timeBase.num * 90_000) / timeBase.den
    const pictures: InspectedPicture[] = []
    let decoded = 0
    const drain = async () => {
      while ((await context.receiveFrame(frame)) >= 0) {
        decoded++
        frame.unref()
      }
    }
    while ((await input.readFrame(packet)) !== END) {
      if (heard && packet.streamIndex === sound?.index) {
        const start = Number(packet.pts)
        spans.push({ start, end: start + Number(packet.duration) })
        const sent = await heard.context.sendPacket(packet)
        if (sent < 0) throw new Error(`audio ${spans.length} not decoded: ${sent}`)
        packet.unref()
        await listen()
        continue
      }
      const { pts, dts, duration, isKeyframe: keyframe } = packet
      pictures.push({ keyframe, pts: ticks(pts), dts: ticks(dts), duration: ticks(duration) })
      const sent = await context.sendPacket(packet)
      if (sent < 0) throw new Error(`picture ${pictures.length} not decoded: ${sent}`)
      packet.unref()
      await drain()
    }
    await context.sendPacket(null)
    await drain()
    await heard?.context.sendPacket(null)
    await listen()
    const { num, den } = sound?.timeBase ?? { num: 0, den: 1 }
    const audio = sound && {
      codec: heard?.name ?? '',
      sampleRate: sound.codecpar.sampleRate,
      start: ((spans[0]?.start ?? 0) * num) / den,
      end: ((spans.at(-1)?.end ?? 0) * num) / den,
      gaps: spans.filter(({ start }, i) => i > 0 && start !== spans[i - 1]?.end).length,
      samples,
    }
    return {
      codec: name,
      width: codecpar.width,
      height: codecpar.height,
      tag: Buffer.from(Uint32Array.of(Number(codecpar.codecTag)).buffer).toString('latin1'),
      extradata: Buffer.from(codecpar.extradata ?? []),
      duration: Number(input.duration) / 1_000_000,
      pictures,
      decoded,
      audio: audio ?? null,
    }
  } finally {
    packet.free()
    frame.free()
    for (const context of decoders) context.freeContext()
    await input.closeInput()
  }
}
