import { isDiskFull } from '@vigia/runtime/disk-failure'
import { type CodedUnit, createSmallCopy, NoEncoderError } from '@vigia/video/encode/small-copy'
import { createFfmpegSource } from '@vigia/video/ffmpeg-source'
import { createMask } from '@vigia/video/mask'
import { type TrackConfig, trackConfig } from '@vigia/video/mp4/codec-config'
import { createRecordingFile, type RecordingFile } from '@vigia/video/mp4/recording-file'
import { ownCopy } from '@vigia/video/nal-units'
import type { StreamParameters } from '@vigia/video/packet'
import type { CoverAnswer, CoverRequest } from './protocol.ts'

const OPEN_MS = 10_000

interface Output {
  readonly file: RecordingFile
  readonly config: TrackConfig
  readonly startMs: number
}

/** Writes a covered copy of a video file, at most 640 pixels wide and high, in H.264. */
export async function coverFile({ source, target, mascaras }: CoverRequest): Promise<CoverAnswer> {
  const copy = createSmallCopy(createMask(mascaras))
  let parameters: StreamParameters | null = null
  let firstMs: number | null = null
  let output: Output | null = null
  const written = (): Output | null => output

  const write = async (units: readonly CodedUnit[]) => {
    for (const { keyframe, timeMs, data, parameters: coded } of units) {
      output ??= openOutput(target, trackConfig('h264', [...coded.parameterSets]), timeMs)
      output?.file.add({ keyframe, timeMs: timeMs - output.startMs, nals: coded.split(data) ?? [] })
    }
    await output?.file.drain()
  }

  try {
    const packets = createFfmpegSource(
      { kind: 'file', path: source },
      { transport: 'tcp', openTimeoutMs: OPEN_MS, stallTimeoutMs: OPEN_MS },
    )
    await packets.run(
      {
        async opened(found) {
          parameters = found
        },
        async packet({ keyframe, ptsMs, data }) {
          if (ptsMs === null || !parameters) return
          firstMs ??= ptsMs
          await write(await copy.add({ keyframe, timeMs: ptsMs - firstMs, data: ownCopy(data()), parameters }))
        },
      },
      new AbortController().signal,
    )
    await write(await copy.flush())
    const made = written()
    const done = await made?.file.finish()
    if (!made || !done) return { ok: false, falha: 'codec_desconhecido' }
    const { codec, codecs, width, height } = made.config
    return { ok: true, codec, codecs, width, height, startMs: made.startMs, durationMs: done.durationMs }
  } catch (error) {
    await written()?.file.abandon()
    if (error instanceof NoEncoderError) return { ok: false, falha: 'mascara' }
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') return { ok: false, falha: 'interno' }
    return { ok: false, falha: isDiskFull(error) ? 'disco_cheio' : 'disco_indisponivel' }
  } finally {
    copy.close()
  }
}

const openOutput = (path: string, config: TrackConfig | null, startMs: number): Output | null =>
  config && { file: createRecordingFile(path, config), config, startMs }
