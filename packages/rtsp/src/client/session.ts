import type { Duplex } from 'node:stream'
import { judgeRedirection } from '../redirect.ts'
import type { Reply } from '../reply.ts'
import type { RtspUrl } from '../rtsp-url.ts'
import { parseSdp, type SdpAudio, type SdpVideo } from '../sdp.ts'
import { baseUrl, readSession, resolveControl, type SessionHeader, sessionUrls } from './addresses.ts'
import { type RtspAudioFormat, readAudioFormat } from './audio-format.ts'
import { type AudioReceiver, createAudioReceiver, type RtspAudioPacket } from './audio-receiver.ts'
import { createDialogue, type Headers } from './dialogue.ts'
import { type MediaLine, type MediaPeer, type OnMedia, type RtpTransport, tcpLine } from './media-line.ts'
import type { Codec } from './nal-types.ts'
import {
  failed,
  type RtspEnd,
  type RtspFailure,
  statusEnd,
  UNSUPPORTED_TRANSPORT,
  unsupportedCodec,
} from './outcome.ts'
import {
  createMediaReceiver,
  type MediaReceiver,
  type RtpLosses,
  type RtspAccessUnit,
  type RtspParameters,
} from './receiver.ts'
import { watchStall } from './stall.ts'
import { openUdpLine } from './udp-line.ts'
import { createWireReader } from './wire.ts'

export interface SessionOptions {
  /** Time without a packet after which the stream counts as dead. */
  readonly stallTimeoutMs: number
  /** Value of the Range header, for example `clock=20260101T030000Z-20260101T030030Z`. Default `npt=0.000-`. */
  readonly range?: string
  /** Requested speed (RFC 2326 12.34). */
  readonly scale?: number
  /** `false`: as fast as the connection allows (ONVIF Streaming Specification 6.5.2). */
  readonly rateControl?: boolean
  /** Option tag of SETUP and PLAY, for example `onvif-replay`. */
  readonly require?: string
  /** Default `auto`: TCP, and UDP for a server that refuses TCP. With TLS always TCP. */
  readonly transport?: 'auto' | RtpTransport
  /**
   * Requests that keep the session alive. Default `listed`: GET_PARAMETER if the server lists it, else OPTIONS. `both`:
   * in turns and more often, for a server that ends its session although it is kept alive.
   */
  readonly keepAlive?: 'listed' | 'both'
  readonly signal: AbortSignal
  onAccessUnit(unit: RtspAccessUnit): void
  /** Called for each picture that is skipped, because no keyframe has come before it. */
  onSkipped?: () => void
  /** Called before the first unit, and after a change of the parameter sets before the unit that uses them. */
  onParameters(parameters: RtspParameters): void
  /** Called with PLAY's reply: servers may grant another range or speed. */
  onPlaying?(granted: { readonly range: string | null; readonly scale: number | null }): void
  /** Called with SETUP's reply. */
  onTransport?(granted: RtpTransport): void
  /** Called every few seconds over UDP. */
  onLosses?(losses: RtpLosses): void
  /** Sets up the audio beside the video. Absent: the server is not asked for it. */
  readonly audio?: {
    /** Called once before PLAY. `absent`: no track, or a refused one. `format`: this client does not read it. */
    onFormat(format: RtspAudioFormat | 'absent' | 'format'): void
    onPacket(packet: RtspAudioPacket): void
  }
}

/** Result of a session that continues on another connection. */
export interface Reconnect {
  /** After the server closed the connection with its 401: its challenges, which stay valid. Else empty. */
  readonly challenges: readonly string[]
  /** After a redirection: the new address, and the end if nobody answers there. */
  readonly moved?: { readonly target: RtspUrl; readonly end: RtspFailure }
}

interface SessionContext {
  /** A connected socket. */
  readonly socket: Duplex
  readonly target: RtspUrl
  /** IP address of the server. */
  readonly remote: string
  /** Null: no UDP. */
  readonly peer: MediaPeer | null
  readonly openTimeoutMs: number
  /** Challenges from the previous connection; empty on the first. */
  readonly challenges: readonly string[]
  /** Whether a redirection led here: no second one is followed. */
  readonly isRedirected: boolean
}

/** Largest number of unsent bytes to a peer that does not read; above it requests and reports are dropped. */
const MAX_UNSENT_BYTES = 64 * 1024
/** Wait for the server's own close, so that the next connection does not exceed the server's limit. */
const FAREWELL_MS = 250
const MIN_KEEP_ALIVE_MS = 250
const MAX_KEEP_ALIVE_MS = 30_000
const BOTH_KEEP_ALIVE_MS = 10_000
/** Statuses after which the request is repeated with the next URL form. */
const WRONG_URL = new Set([400, 404, 454, 459, 460])
/** Statuses after which GET_PARAMETER does not serve as keep-alive for this server. */
const NO_GET_PARAMETER = new Set([400, 404, 405, 451, 501, 551])

/**
 * Plays over a connected socket until the stream ends: OPTIONS, DESCRIBE, SETUP of the first video track, PLAY.
 * Sends keep-alives at half the session's timeout, and TEARDOWN. Rejects only with the error of a callback.
 */
export async function playSession(context: SessionContext, options: SessionOptions): Promise<RtspEnd | Reconnect> {
  const { socket, target, peer, openTimeoutMs, challenges } = context
  const ending = Promise.withResolvers<RtspEnd | Reconnect>()
  let finished = false
  let receivedAny = false
  let playing = false
  let receiver: MediaReceiver | null = null
  let audio: AudioReceiver | null = null
  let media: MediaLine | null = null
  let session: SessionHeader | null = null
  let sessionUrl = target.uri
  let keepAliveMethods = options.keepAlive === 'both' ? ['GET_PARAMETER', 'OPTIONS'] : ['OPTIONS']
  let chunkAtMs = 0
  let videoType = -1
  const stops: (() => void)[] = []

  const finish = (outcome: RtspEnd | Reconnect) => {
    finished = true
    ending.resolve(outcome)
  }
  const guarded = (run: () => void) => {
    if (finished) return
    try {
      run()
    } catch (error) {
      finished = true
      ending.reject(error)
    }
  }
  const send = (data: string | Buffer) => {
    if (!socket.destroyed && socket.writableLength < MAX_UNSENT_BYTES) socket.write(data)
  }
  const dialogue = createDialogue({ send, credentials: target.credentials, challenges })
  const wire = createWireReader({
    onFrame: (channel, bytes, start, end) => {
      if (finished || media?.transport !== 'tcp') return
      if (audio?.owns(channel, bytes, start, end, videoType)) audio.frame(bytes, start, end)
      else receiver?.frame(channel, bytes, start, end, chunkAtMs)
    },
    onReply: (reply) => dialogue.reply(reply),
    onRequest(request) {
      dialogue.serve(request)
      if (request.method === 'TEARDOWN') finish(failed('fluxo_encerrado'))
    },
    onForeign: () => finish(failed('nao_e_rtsp')),
  })

  const onCut = () =>
    guarded(() => {
      const loginRefused = challenges.length === 0 && dialogue.challenges.length > 0 && !dialogue.accepted
      dialogue.end()
      receiver?.flush()
      if (loginRefused && !playing) finish({ challenges: dialogue.challenges })
      else finish(failed(receivedAny ? 'fluxo_encerrado' : 'conexao_recusada'))
    })
  const onAbort = () => finish('aborted')
  const deadline = setTimeout(() => {
    // Some servers play without a reply to PLAY.
    if (receiver && receiver.packets > 0) startPlaying(receiver)
    else finish(failed('sem_resposta'))
  }, openTimeoutMs)

  socket.on('data', (chunk: Buffer) => {
    receivedAny = true
    chunkAtMs = performance.now()
    guarded(() => wire.push(chunk))
  })
  socket.on('error', () => socket.destroy())
  socket.on('end', onCut)
  socket.on('close', onCut)
  options.signal.addEventListener('abort', onAbort, { once: true })
  if (options.signal.aborted) onAbort()

  /**
   * Sends a request with each URL until one is accepted, or refused with the status `refusal`. Null: the session has
   * ended.
   */
  async function requestAny(
    method: string,
    urls: readonly string[],
    headers: Headers,
    refusal?: number,
  ): Promise<[Reply, string] | null> {
    for (const [index, url] of urls.entries()) {
      const answer = await dialogue.request(method, url, headers)
      if (finished || answer.kind === 'gone') return null
      const { reply } = answer
      if (reply.status === 200 || reply.status === refusal) return [reply, url]
      if (index + 1 < urls.length && WRONG_URL.has(reply.status)) continue
      const moved = await judgeRedirection(reply.status, reply.headers.get('location')?.[0], target, context.remote)
      if (finished) return null
      const end = statusEnd(method, reply.status, moved?.address)
      if (moved?.target && !context.isRedirected) finish({ challenges: [], moved: { target: moved.target, end } })
      else finish(end)
    }
    return null
  }

  async function open(): Promise<void> {
    const offered = await dialogue.request('OPTIONS', target.uri)
    if (finished || offered.kind === 'gone') return
    if (offered.reply.status === 401) return finish(statusEnd('OPTIONS', 401))
    const listed = offered.reply.headers.get('public')?.join() ?? ''
    if (!sendsBoth() && /\bGET_PARAMETER\b/i.test(listed)) keepAliveMethods = ['GET_PARAMETER']

    const described = await requestAny('DESCRIBE', [target.uri], { Accept: 'application/sdp' })
    if (!described) return
    const { video, audio: heard } = parseSdp(described[0].body.toString('utf8'))
    if (!video) return finish(failed('sem_video'))
    if (!isSupported(video)) return finish(unsupportedCodec(video.encodingName))
    videoType = video.payloadType

    const base = baseUrl(target.uri, described[0].headers)
    const bases = [base, base.replace(/\/$/, ''), target.uri]
    const urlsOf = (control: string | null) => [...new Set(bases.map((from) => resolveControl(from, control)))]
    const tracks = urlsOf(video.control)
    const required: Headers = options.require === undefined ? {} : { Require: options.require }
    const prepared = await setUp(tracks, required)
    if (!prepared) return
    const { line, setup, track } = prepared
    media = line
    options.onTransport?.(line.transport)
    session = readSession(setup.headers.get('session')?.[0])
    const { rtp } = line.granted(setup.headers.get('transport')?.[0] ?? '')
    const made = createMediaReceiver(
      video,
      { rtp, transport: line.transport },
      {
        onParameters: options.onParameters,
        onAccessUnit: options.onAccessUnit,
        onSkipped: options.onSkipped,
        onLosses: options.onLosses,
        onBye() {
          made.flush()
          finish(options.range === undefined ? failed('fluxo_encerrado') : 'end')
        },
        report: line.report,
      },
    )
    receiver = made
    if (options.audio) options.audio.onFormat(await setUpAudio(heard, urlsOf(heard?.control ?? null), line.transport))
    if (finished) return

    const urls = sessionUrls(target.uri, base, track)
    sessionUrl = urls[0] ?? sessionUrl
    const played = await requestAny('PLAY', urls, { ...sessionHeaders(), ...playHeaders(options), ...required })
    if (!played) return
    sessionUrl = played[1]
    const granted = played[0].headers
    const scale = Number(granted.get('scale')?.[0])
    options.onPlaying?.({ range: granted.get('range')?.[0] ?? null, scale: Number.isFinite(scale) ? scale : null })
    startPlaying(made)
  }

  /** SETUP with each transport until the server supports one. Null: the session has ended. */
  async function setUp(
    tracks: readonly string[],
    required: Headers,
  ): Promise<{ line: MediaLine; setup: Reply; track: string } | null> {
    const transports = wantedTransports(options.transport, peer)
    for (const [index, transport] of transports.entries()) {
      const line = await openLine(transport, (channel, bytes, start, end) =>
        receiver?.frame(channel, bytes, start, end, performance.now()),
      )
      if (!line) {
        finish(failed('erro_desconhecido', 'sem porta UDP livre'))
        return null
      }
      stops.push(line.close)
      const refusal = index + 1 < transports.length ? UNSUPPORTED_TRANSPORT : undefined
      const prepared = await requestAny('SETUP', tracks, { Transport: line.wanted, ...required }, refusal)
      if (finished || !prepared) return null
      const [setup, track] = prepared
      if (setup.status === UNSUPPORTED_TRANSPORT) continue
      // Some servers answer with TCP whatever was requested.
      const isTcp = /interleaved/i.test(setup.headers.get('transport')?.[0] ?? '')
      return { line: isTcp && transport === 'udp' ? tcpLine(send) : line, setup, track }
    }
    return null
  }

  /** SETUP of the audio over the transport of the video. Without it the stream plays all the same. */
  async function setUpAudio(
    track: SdpAudio | null,
    urls: readonly string[],
    transport: RtpTransport,
  ): Promise<RtspAudioFormat | 'absent' | 'format'> {
    const reader = track && readAudioFormat(track)
    if (!track || !reader) return track ? 'format' : 'absent'
    const line = await openLine(transport, (_channel, bytes, start, end) => audio?.frame(bytes, start, end), 2)
    if (!line) return 'absent'
    stops.push(line.close)
    for (const url of urls) {
      const answer = await dialogue.request('SETUP', url, { Transport: line.wanted, ...sessionHeaders() })
      if (finished || answer.kind === 'gone') break
      if (answer.reply.status !== 200) continue
      const channels = line.granted(answer.reply.headers.get('transport')?.[0] ?? '')
      audio = createAudioReceiver(track, reader, channels, (packet) => options.audio?.onPacket(packet))
      return reader.format
    }
    return 'absent'
  }

  async function openLine(transport: RtpTransport, onMedia: OnMedia, first = 0): Promise<MediaLine | null> {
    if (transport === 'tcp' || peer === null) return tcpLine(send, first)
    return await openUdpLine(peer, (...packet) => guarded(() => onMedia(...packet)))
  }

  function startPlaying(media: MediaReceiver): void {
    if (finished || playing) return
    playing = true
    clearTimeout(deadline)
    stops.push(watchStall(media, options.stallTimeoutMs, finish))
    const timeoutMs = (session?.timeoutS ?? 60) * 1000
    const [longestMs, share] = sendsBoth() ? [BOTH_KEEP_ALIVE_MS, 3] : [MAX_KEEP_ALIVE_MS, 2]
    const everyMs = Math.max(MIN_KEEP_ALIVE_MS, Math.min(longestMs, timeoutMs / share))
    const timer = setInterval(() => void keepAlive(), everyMs)
    stops.push(() => clearInterval(timer))
  }

  async function keepAlive(): Promise<void> {
    const method = keepAliveMethods.shift() ?? 'OPTIONS'
    keepAliveMethods.push(method)
    const answer = await dialogue.request(method, sessionUrl, sessionHeaders())
    if (finished || answer.kind === 'gone') return
    const { status } = answer.reply
    if (status === 401) finish(statusEnd(method, 401))
    else if (status === 454) finish(failed('fluxo_encerrado'))
    else if (NO_GET_PARAMETER.has(status)) keepAliveMethods = ['OPTIONS']
  }

  const sendsBoth = () => options.keepAlive === 'both'

  const sessionHeaders = (): Headers => (session ? { Session: session.id } : {})

  open().catch((error: unknown) => {
    finished = true
    ending.reject(error)
  })
  try {
    return await ending.promise
  } finally {
    for (const stop of stops) stop()
    clearTimeout(deadline)
    options.signal.removeEventListener('abort', onAbort)
    if (session) dialogue.notify('TEARDOWN', sessionUrl, sessionHeaders())
    dialogue.end()
    await hangUp(socket)
  }
}

function wantedTransports(wanted: SessionOptions['transport'], peer: MediaPeer | null): readonly RtpTransport[] {
  if (peer === null || wanted === 'tcp') return ['tcp']
  return wanted === 'udp' ? ['udp'] : ['tcp', 'udp']
}

const isSupported = (video: SdpVideo): video is SdpVideo & { codec: Codec } =>
  video.codec === 'h264' || video.codec === 'h265'

function playHeaders({ range, scale, rateControl }: SessionOptions): Headers {
  return {
    Range: range ?? 'npt=0.000-',
    ...(scale === undefined ? {} : { Scale: scale.toFixed(3) }),
    ...(rateControl === undefined ? {} : { 'Rate-Control': rateControl ? 'yes' : 'no' }),
  }
}

async function hangUp(socket: Duplex): Promise<void> {
  if (socket.closed) return
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.end()
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS)
  await closed
  clearTimeout(timer)
}
