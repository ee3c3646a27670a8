import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AVERROR_EOF,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants'
import { Dictionary, FormatContext, Log, Packet, type Stream } from 'node-av/lib'
import { type NalFormat, nalFormat } from '../nal-units.ts'

/** One coded picture, in decoding order. */
export interface AccessUnit {
  /** True where decoding can start. */
  readonly key: boolean
  /** Presentation and decoding time in ticks of `timescale`; the first unit decodes at 0. */
  readonly pts: number
  readonly dts: number
  /** NAL units without start codes or lengths. */
  readonly nals: readonly Buffer[]
}

export interface EncodedVideo {
  readonly codec: 'h264' | 'h265'
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Pictures a second, on average. */
  readonly fps: number
  /** Ticks a second: the RTP clock of both codecs (RFC 6184 8.2.1, RFC 7798 7.1). */
  readonly timescale: 90_000
  /** Duration of the file in ticks; a repetition may start there. */
  readonly duration: number
  readonly parameterSets: readonly Buffer[]
  /** The first unit is a keyframe; `dts` increases strictly. */
  readonly units: readonly AccessUnit[]
}

const TIMESCALE = 90_000
/** The whole file stays in memory. */
const MAX_BYTES = 512 * 1024 * 1024
const formats = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm'

/**
 * Demultiplexes the video of an MP4 or Matroska file without decoding it. Throws VigiaError `validacao` (Portuguese,
 * with the file's name) for a missing file and for one without usable H.264 or H.265.
 */
export async function readAccessUnits(file: string): Promise<EncodedVideo> {
  await checkFile(file)
  // FFmpeg writes defects of a file to stderr; this module reports them itself.
  Log.setLevel(AV_LOG_QUIET)
  const context = new FormatContext()
  // Without this call before openInput an interrupt crashes the process.
  context.allocContext()
  // Playlists and other protocols are excluded, because they could open further files and hosts.
  const options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: formats })
  const packet = new Packet()
  packet.alloc()
  try {
    const opened = await context.openInput(`file:${resolve(file)}`, null, options)
    if (opened < 0) throw unusable(file, 'não é um vídeo MP4 ou MKV legível', opened)
    const probed = await context.findStreamInfo(null)
    const stream = context.streams.find((candidate) => candidate.codecpar.codecType === AVMEDIA_TYPE_VIDEO)
    if (probed < 0 || !stream) throw unusable(file, 'não contém vídeo', probed)
    const { codec, format } = readFormat(file, stream)
    const units = await readUnits(file, context, stream, packet, format)
    const { width, height } = stream.codecpar
    const duration = durationOf(units, stream)
    const fps = (units.length * TIMESCALE) / duration
    return { codec, width, height, fps, timescale: TIMESCALE, duration, parameterSets: format.parameterSets, units }
  } finally {
    packet.free()
    options.free()
    await context.closeInput()
  }
}

const unusable = (file: string, reason: string, cause?: unknown): VigiaError =>
  new VigiaError('validacao', {
    detalhe: `O arquivo de vídeo "${basename(file)}" ${reason}. Use um MP4 ou MKV com vídeo H.264 ou H.265.`,
    cause,
  })

async function checkFile(file: string): Promise<void> {
  let size: number
  try {
    const found = await stat(file)
    if (!found.isFile()) throw unusable(file, 'não é um arquivo')
    size = found.size
  } catch (error) {
    if (error instanceof VigiaError) throw error
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw unusable(file, missing ? 'não existe' : 'não pode ser aberto', error)
  }
  if (size === 0) throw unusable(file, 'está vazio (0 bytes)')
  if (size > MAX_BYTES) throw unusable(file, `é maior que ${MAX_BYTES / 1024 / 1024} MB`)
}

function readFormat(file: string, stream: Stream): { codec: 'h264' | 'h265'; format: NalFormat } {
  const { codecId, extradata, width, height } = stream.codecpar
  const codec = codecId === AV_CODEC_ID_H264 ? 'h264' : codecId === AV_CODEC_ID_HEVC ? 'h265' : null
  if (!codec) throw unusable(file, 'usa um codec que não é H.264 nem H.265')
  const format = extradata && nalFormat(codec, Buffer.from(extradata))
  if (!format || width <= 0 || height <= 0) throw unusable(file, 'não traz os parâmetros do vídeo')
  return { codec, format }
}

async function readUnits(
  file: string,
  context: FormatContext,
  stream: Stream,
  packet: Packet,
  format: NalFormat,
): Promise<AccessUnit[]> {
  const { num, den } = stream.timeBase
  const coded: CodedPicture[] = []
  for (;;) {
    const code = await context.readFrame(packet)
    if (code === AVERROR_EOF) break
    if (code < 0) throw unusable(file, 'está danificado', code)
    if (packet.streamIndex === stream.index && (coded.length > 0 || packet.isKeyframe)) {
      const data = packet.data
      const nals = data && format.split(Buffer.from(data))
      if (!nals || nals.length === 0 || packet.pts === AV_NOPTS_VALUE) throw unusable(file, 'está danificado')
      coded.push({ key: packet.isKeyframe, time: Math.round((Number(packet.pts) * num * TIMESCALE) / den), nals })
    }
    packet.unref()
  }
  if (coded.length === 0) throw unusable(file, 'não contém nenhum quadro')
  const units = withDecodingTimes(coded)
  if (units.some(({ dts }, i) => i > 0 && dts <= (units[i - 1]?.dts ?? 0))) throw unusable(file, 'repete horários')
  return units
}

interface CodedPicture {
  readonly key: boolean
  /** Presentation time in ticks, with the origin of the file. */
  readonly time: number
  readonly nals: readonly Buffer[]
}

/**
 * Matroska stores presentation times only, and FFmpeg's guess at the first decoding times has gaps. The n-th decoded
 * picture gets the n-th presentation time. The largest delay of any picture is subtracted, so that no picture is late.
 */
function withDecodingTimes(coded: readonly CodedPicture[]): AccessUnit[] {
  const shown = coded.map(({ time }) => time).sort((a, b) => a - b)
  const delay = coded.reduce((longest, { time }, i) => Math.max(longest, (shown[i] ?? 0) - time), 0)
  const origin = (shown[0] ?? 0) - delay
  return coded.map(({ key, time, nals }, i) => ({
    key,
    pts: time - origin,
    dts: (shown[i] ?? 0) - delay - origin,
    nals,
  }))
}

/** The last picture gets the average duration. */
function durationOf(units: readonly AccessUnit[], stream: Stream): number {
  const span = units.at(-1)?.dts ?? 0
  if (units.length > 1) return Math.round((span * units.length) / (units.length - 1))
  const { num, den } = stream.avgFrameRate
  return num > 0 && den > 0 ? Math.round((TIMESCALE * den) / num) : TIMESCALE
}
