import { statusEnd } from '@vigia/rtsp/client/outcome'
import { judgeRedirection } from '@vigia/rtsp/redirect'
import { type RtspUrl, readRtspUrl } from '@vigia/rtsp/rtsp-url'
import { AV_LOG_QUIET, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants'
import { Dictionary, FormatContext, InputFormat, Log, type Packet, type Stream } from 'node-av/lib'
import { decoderNeed, overBudget } from './decoder-budget.ts'
import { ambiguousOpenFailure, fileFailure, openFailure, type StreamEnd, streamEnd } from './failure.ts'
import { openRelay, type Relay } from './ffmpeg-relay.ts'
import type { Interruption, SourceOptions } from './packet-source.ts'
import type { SeenRedirection } from './redirection-filter.ts'
import type { Source } from './source.ts'
import { formatOf } from './video-codecs.ts'

export interface VideoInput {
  readonly stream: Stream
  /** null: none, or not requested. */
  readonly audio: Stream | null
  /** The encoding name of the SDP (`H264`); null: file or no name. */
  readonly encodingName: string | null
  /** Reads the next packet into `packet` and returns FFmpeg's code. */
  read(packet: Packet): Promise<number>
  /** Interrupts a blocked `read` within milliseconds. The first reason counts. */
  interrupt(reason: Interruption): void
  /** Reason of the interrupt; FFmpeg itself only returns "immediate exit". */
  readonly interruption: Interruption | null
  /** Frees everything. Call it only after the last `read` has returned. */
  close(): Promise<void>
}

type OpenResult = { readonly ok: true; readonly input: VideoInput } | { readonly ok: false; readonly end: Interruption }

/**
 * Allowed containers of files. Without playlists and scripts (`hls`, `concat`, `dash`, `sdp`), which refer to other
 * files or hosts.
 */
const fileFormats = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,h264,hevc'
/** Extra time of FFmpeg's own socket timeout, a fall-back for the timeouts of this package. */
const backstopMs = 2000

function rtspOptions(options: SourceOptions): Record<string, string> {
  return {
    protocol_whitelist: 'rtsp,rtp,tcp,udp',
    // With this flag FFmpeg begins with TCP, and goes on to UDP after 461.
    ...(options.transport === 'auto'
      ? { rtsp_transport: 'udp+tcp', rtsp_flags: 'prefer_tcp' }
      : { rtsp_transport: options.transport }),
    // FFmpeg does not set up other tracks.
    allowed_media_types: options.audio === true ? 'video+audio' : 'video',
    timeout: String((Math.max(options.openTimeoutMs, options.stallTimeoutMs) + backstopMs) * 1000), // µs
    fpsprobesize: '0',
    // Size in bytes of the receive buffer: a keyframe is a burst of hundreds of datagrams. The kernel may give less.
    ...(options.transport === 'tcp' ? {} : { buffer_size: String(2 ** 21) }),
  }
}

function encodingName(context: FormatContext, stream: Stream): string | null {
  const info = context.getRTSPStreamInfo()?.find((entry) => entry.streamIndex === stream.index)
  // `H264/90000`, or empty for a static payload type
  return (
    info?.mimeType
      .replace(/^video\//, '')
      .split('/')
      .at(0) || null
  )
}

/**
 * Opens an RTSP stream or a file up to the first packet. A stream is not probed: the SDP names the codec, and the
 * decoder reads the rest from the stream. Thus a connect costs only the round trips of RTSP. One redirection to the
 * address of the device is followed.
 */
export async function openInput(source: Source, options: SourceOptions, signal: AbortSignal): Promise<OpenResult> {
  if (source.kind === 'file') return await openContext(`file:${source.path}`, null, options, signal)
  const endsAtMs = performance.now() + options.openTimeoutMs
  const target = readTarget(source.url)
  if (target === null) return { ok: false, end: streamEnd('url_ilegivel') }
  const first = await openStream(source, target, options, endsAtMs, signal)
  if (!('redirection' in first)) return first
  const { redirection, remote } = first
  const moved = await judgeRedirection(redirection.status, redirection.location, target, remote)
  const { failure, detail } = statusEnd(redirection.method, redirection.status, moved?.address)
  const end = streamEnd(failure, detail)
  if (!moved?.target) return { ok: false, end }
  const next = { ...source, url: withLogin(moved.target.uri, source.url) }
  const second = await openStream(next, { ...moved.target, host: remote }, options, endsAtMs, signal)
  if ('redirection' in second) return { ok: false, end }
  return second
}

async function openStream(
  source: Extract<Source, { kind: 'rtsp' }>,
  target: RtspUrl,
  options: SourceOptions,
  endsAtMs: number,
  signal: AbortSignal,
): Promise<OpenResult | Redirected> {
  const relay = await openRelay(source.url, target, endsAtMs, signal)
  if (typeof relay === 'string') return { ok: false, end: 'aborted' }
  if ('failure' in relay) return { ok: false, end: streamEnd(relay.failure, relay.detail) }
  // RTP over UDP would not be encrypted.
  const transport = target.tls ? 'tcp' : options.transport
  const openTimeoutMs = Math.max(1, endsAtMs - performance.now())
  const opened = await openContext(relay.url, relay, { ...options, transport, openTimeoutMs }, signal)
  const { redirection, remote } = relay
  return redirection && !opened.ok && opened.end !== 'aborted' ? { redirection, remote } : opened
}

type Redirected = { readonly redirection: SeenRedirection; readonly remote: string }

function readTarget(url: string): RtspUrl | null {
  try {
    return readRtspUrl(url)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const withLogin = (uri: string, url: string): string =>
  uri.replace('://', `://${/^rtsps?:\/\/([^/?]*@)/i.exec(url)?.[1] ?? ''}`)

/** Opens a file, or a stream behind its relay, which closes with it. */
async function openContext(
  address: string,
  relay: Relay | null,
  options: SourceOptions,
  signal: AbortSignal,
): Promise<OpenResult> {
  // FFmpeg writes addresses with passwords to stderr.
  Log.setLevel(AV_LOG_QUIET)
  if (signal.aborted) {
    await relay?.close()
    return { ok: false, end: 'aborted' }
  }
  const context = new FormatContext()
  // Without this call `interrupt` has no context during an open or a read, and the process dies of SIGSEGV.
  context.allocContext()

  let interruption: Interruption | null = null
  let closed = false
  const interrupt = (reason: Interruption) => {
    interruption ??= reason
    if (!closed) context.interrupt()
  }
  const onAbort = () => interrupt('aborted')
  signal.addEventListener('abort', onAbort, { once: true })
  const deadline = setTimeout(() => interrupt(streamEnd('sem_resposta')), options.openTimeoutMs)
  const close = async () => {
    if (closed) return
    closed = true
    clearTimeout(deadline)
    signal.removeEventListener('abort', onAbort)
    await context.closeInput()
    await relay?.close()
  }

  const dictionary = Dictionary.fromObject(
    relay ? rtspOptions(options) : { protocol_whitelist: 'file', format_whitelist: fileFormats },
  )
  try {
    const format = relay && InputFormat.findInputFormat('rtsp')
    const code = await context.openInput(address, format, dictionary)
    if (code >= 0 && relay === null) {
      // FFmpeg decodes pictures of a file to describe it.
      const large = largest(context)
      if (large) {
        await close()
        return { ok: false, end: large }
      }
    }
    const found = code < 0 ? code : relay ? 0 : await describe(context)
    if (found < 0 || interruption !== null) {
      await close()
      return { ok: false, end: judgeOpen(relay, found, interruption) }
    }
    clearTimeout(deadline)
    const ofType = (type: number) => context.streams.find(({ codecpar }) => codecpar.codecType === type)
    const stream = ofType(AVMEDIA_TYPE_VIDEO)
    if (stream === undefined) {
      await close()
      return { ok: false, end: streamEnd('sem_video') }
    }
    const input: VideoInput = {
      stream,
      audio: options.audio === true ? (ofType(AVMEDIA_TYPE_AUDIO) ?? null) : null,
      encodingName: relay ? encodingName(context, stream) : null,
      read: (packet) => context.readFrame(packet),
      interrupt,
      get interruption() {
        return interruption
      },
      close,
    }
    return { ok: true, input }
  } catch (error) {
    await close()
    throw error
  } finally {
    dictionary.free()
  }
}

/** The reason not to decode a video stream of the file; null: all are within the budget. */
function largest({ streams }: FormatContext): StreamEnd | null {
  for (const { codecpar } of streams) {
    const { codec, format } = formatOf(codecpar)
    const end = overBudget(decoderNeed(codec, format?.parameterSets ?? []))
    if (end) return end
  }
  return null
}

/**
 * The container of a clip describes its streams. Other files need FFmpeg's probe, which decodes pictures without a
 * limit of their size.
 */
async function describe(context: FormatContext): Promise<number> {
  const isKnown = ({ codecpar: { codecType, extradata, width } }: Stream) =>
    codecType !== AVMEDIA_TYPE_VIDEO || (width > 0 && extradata !== null)
  return context.streams.every(isKnown) ? 0 : await context.findStreamInfo(null)
}

function judgeOpen(relay: Relay | null, code: number, interruption: Interruption | null): Interruption {
  if (interruption === 'aborted') return 'aborted'
  if (relay === null) return interruption ?? fileFailure(code)
  const known = interruption === null ? openFailure(code) : null
  if (known) return known
  // A firewall, or a recorder without free connections, accepts and closes.
  if (relay.begun === 'nothing') return interruption ?? streamEnd('conexao_recusada')
  if (relay.begun === 'foreign') return streamEnd('nao_e_rtsp')
  return interruption ?? ambiguousOpenFailure(code)
}
