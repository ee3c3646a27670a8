import { type AudioConfig, type AudioPacket, audioConfig } from '../audio/audio-config.ts'
import { createFfmpegSource } from '../ffmpeg-source.ts'
import { type Clip, makeClip } from '../mp4/clip.ts'
import { ownCopy } from '../nal-units.ts'
import type { StreamParameters } from '../packet.ts'
import type { RingGop, RingPacket } from '../readers/ring.ts'
import { copyGops } from './copy-gops.ts'

const OPEN_MS = 10_000

interface ReadFile {
  readonly gops: (RingGop & { readonly packets: RingPacket[] })[]
  readonly audio: AudioPacket[]
}

/**
 * A small H.264 copy of a file with its AAC audio. null: the file has no pictures that can be decoded. The caller runs
 * it in a process of its own, because a forged file may crash the decoder.
 * @throws NoEncoderError
 */
export async function copyFile(path: string, signal: AbortSignal): Promise<Clip | null> {
  const { gops, audio } = await read(path, signal)
  const [first, ...rest] = await copyGops(gops, Number.POSITIVE_INFINITY, null)
  if (!first) return null
  const config = audio[0]?.config
  const parameters = { ...first.parameters, ...(config && { audio: config }) }
  return makeClip([{ ...first, parameters, audio }, ...rest], { atMs: 0, toMs: Number.POSITIVE_INFINITY })
}

async function read(path: string, signal: AbortSignal): Promise<ReadFile> {
  const found: ReadFile = { gops: [], audio: [] }
  let parameters: StreamParameters | null = null
  let config: AudioConfig | null = null
  let firstMs: number | null = null
  const source = createFfmpegSource(
    { kind: 'file', path },
    { transport: 'tcp', openTimeoutMs: OPEN_MS, stallTimeoutMs: OPEN_MS, audio: true },
  )
  await source.run(
    {
      async opened(video, audio) {
        parameters = video
        config = typeof audio === 'object' && audio.codec === 'aac' ? audioConfig(audio.specific) : null
      },
      packet({ keyframe, ptsMs, data }) {
        if (ptsMs === null || parameters === null) return undefined
        if (keyframe) found.gops.push({ parameters, discontinuity: found.gops.length === 0, packets: [], audio: [] })
        firstMs ??= ptsMs
        found.gops.at(-1)?.packets.push({ keyframe, timeMs: ptsMs - firstMs, data: ownCopy(data()) })
        return undefined
      },
      audio({ ptsMs, data }) {
        if (config && ptsMs !== null) found.audio.push({ timeMs: ptsMs - (firstMs ?? 0), config, data: ownCopy(data) })
      },
    },
    signal,
  )
  return found
}
