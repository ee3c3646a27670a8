import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants'
import { avGetCodecName, Dictionary, FormatContext, Packet } from 'node-av/lib'

export interface ReadTracks {
  /** FFmpeg's name of the codec of the audio track. */
  readonly codec: string | null
  readonly sampleRate: number | null
  /** Bytes of its first packets. */
  readonly sizes: readonly number[]
}

/** Reads an RTSP stream with FFmpeg until `count` packets of audio and of video have arrived. */
export async function readTracks(url: string, transport: 'tcp' | 'udp', count: number): Promise<ReadTracks> {
  const context = new FormatContext()
  context.allocContext()
  const options = Dictionary.fromObject({ rtsp_transport: transport, fpsprobesize: '0' })
  const packet = new Packet()
  packet.alloc()
  try {
    const opened = await context.openInput(url, null, options)
    if (opened < 0) throw new Error(`not readable: ${opened}`)
    const audio = context.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO)
    const sizes: number[] = []
    for (let pictures = 0; pictures < count || sizes.length < count; ) {
      const code = await context.readFrame(packet)
      if (code < 0) throw new Error(`packet ${pictures + sizes.length} not readable: ${code}`)
      if (packet.streamIndex === audio?.index) sizes.push(packet.size)
      else pictures++
      packet.unref()
    }
    const { codecId, sampleRate } = audio?.codecpar ?? {}
    return { codec: codecId === undefined ? null : avGetCodecName(codecId), sampleRate: sampleRate ?? null, sizes }
  } finally {
    packet.free()
    options.free()
    await context.closeInput()
  }
}
