import { setTimeout as sleep } from 'node:timers/promises'
import { buildSdp } from '@vigia/rtsp/sdp'
import type { EncodedVideo } from '@vigia/video/testing/access-units'
import type { EmptyAnswer, QuirkName } from '../quirks.ts'
import { createAudioPlayback } from '../rtp/audio.ts'
import { createPlayback } from '../rtp/playback.ts'
import { createReplay } from '../rtp/replay.ts'
import { PAYLOAD_TYPE } from '../rtp/rtp-stream.ts'
import { losing, type MediaTransport } from '../rtp/transport.ts'
import type { Archive } from './archive.ts'
import { AUDIO_TRACK, type Channel, emptiness, resolveTarget, type Target, TRACK } from './channels.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import type { Ledger } from './ledger.ts'
import type { RtspRequest, RtspResponse, Status } from './message.ts'
import { readPlayRequest } from './play-request.ts'
import { createSession, endSession, type Session } from './session.ts'
import { chooseTransport, type TransportOffer } from './transport-header.ts'

export interface DialogueOptions {
  readonly channels: readonly Channel[]
  readonly gatekeeper: Gatekeeper
  /** Absent: the recorder keeps nothing. */
  readonly archive?: Archive | null
  /** Shared by all dialogues of a server. */
  readonly ledger: Ledger
  /** Answer of a channel without video. */
  readonly emptyAnswer: EmptyAnswer
  /** Time without requests after which session and connection of a client end. */
  readonly sessionTimeoutMs: number
  /** Monotonic clock, ms. */
  readonly now: () => number
  readonly onPlay?: ((start: PlayStart) => void) | undefined
}

/** A client begins to receive live pictures. */
export interface PlayStart {
  readonly canal: number
  readonly stream: 'principal' | 'sub'
  /** Position of the first picture in the loop, ms. */
  readonly posicao_ms: number
}

/** The connection of the dialogue. */
export interface Line {
  /** Server address that the client connected to. */
  readonly localAddress: string
  readonly clientAddress: string
  /** Connection above the limit: all its requests are refused, as on Dahua. */
  readonly isSurplus: boolean
  /** Null when no UDP ports are free. */
  openTransport(offer: TransportOffer): Promise<MediaTransport | null>
  cut(): void
  /** Sends this text repeatedly until the client disconnects. */
  flood(text: string): void
}

/** Answers the requests of one client in order (RFC 2326 10). A connection has one session at a time. */
export interface Dialogue {
  /** Returns null for a quirk that sends no answer. */
  answer(request: RtspRequest): Promise<RtspResponse | null>
  /** Whether a request (null: a report of the client) extends the session. */
  keepsAlive(method: string | null): boolean
  end(): void
}

/** Option tag of the replay of a recording (ONVIF Streaming Specification 6.2). */
const REPLAY_TAG = 'onvif-replay'
const METHODS = ['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY', 'PAUSE', 'TEARDOWN', 'GET_PARAMETER', 'SET_PARAMETER']
const ENDLESS = `X-Enchimento: ${'x'.repeat(1000)}\r\n`
const busyAnswers: Partial<Record<QuirkName, Status | 'cut'>> = {
  ocupado_401: 401,
  ocupado_403: 403,
  ocupado_453: 453,
  ocupado_503: 503,
  corta: 'cut',
}
const lacksGetParameter = (quirk: QuirkName | undefined) =>
  quirk === 'sessao_options' || quirk === 'get_parameter_oculto'
const publicOf = (quirk: QuirkName | undefined) => ({
  Public: METHODS.filter((method) => !lacksGetParameter(quirk) || method !== 'GET_PARAMETER').join(', '),
})
/** Method of the only request that extends a playing session. */
const keepAlives: Partial<Record<QuirkName, string>> = {
  sessao_options: 'OPTIONS',
  sessao_get_parameter: 'GET_PARAMETER',
  get_parameter_oculto: 'GET_PARAMETER',
}
const optionsAnswers: Partial<Record<QuirkName, Status>> = { options_404: 404, options_405: 405 }
/** Transport that a channel does not support. */
const unsupported: Partial<Record<string, TransportOffer['kind']>> = { udp_so: 'tcp', tcp_so: 'udp' }
const sentNumbers: Partial<Record<QuirkName, string | null>> = { cseq_zero: '0', sem_cseq: null }
/** End of the path that `redireciona_caminho` names. */
const MOVED = 'movido=1'
/** Delay between the first picture and the answer to PLAY. */
const LATE_ANSWER_MS = 250

export function createDialogue(line: Line, options: DialogueOptions): Dialogue {
  let session: Session | null = null
  let ended = false
  let calledStale = false
  const archive = options.archive ?? null

  /** Returns the refusal of a playback; null: live, or the archive has the part and accepts a session. */
  function refuseReplay(target: Target | null): RtspResponse | null {
    if (!target?.part || !archive) return null
    if (!archive.holds(target.part)) return { status: 404 }
    return session || archive.acceptsSession() ? null : { status: 453 }
  }

  function describe(request: RtspRequest, target: Target | null): RtspResponse {
    const accept = request.headers.get('accept')
    if (accept !== undefined && !/application\/sdp|\*/i.test(accept)) return { status: 406 }
    if (!target) return { status: 404 }
    const empty = emptiness(target, options.emptyAnswer)
    if (typeof empty === 'number') return { status: empty }
    const refusal = refuseReplay(target)
    if (refusal) return refusal
    const unknownCodec = target.channel?.quirk?.defeito === 'codec_desconhecido'
    const video =
      empty === null && target.video
        ? {
            ...target.video,
            payloadType: PAYLOAD_TYPE,
            control: TRACK,
            ...(unknownCodec ? { rtpmap: 'FOO/90000' } : {}),
            ...(target.channel?.quirk?.defeito === 'sem_parametros' ? { parameterSets: [] } : {}),
          }
        : null
    const heard = video && audioOf(target)
    const audio = heard && { ...heard, control: AUDIO_TRACK }
    return {
      status: 200,
      headers: { 'Content-Type': 'application/sdp', 'Content-Base': `${target.base}/` },
      body: buildSdp({ titulo: `Canal ${target.path.canal}`, host: line.localAddress, video, audio }),
    }
  }

  /** Returns the answer of a quirk to DESCRIBE; null: no quirk applies, so the SDP is sent. */
  function misbehave(channel: Channel | null, uri: string): RtspResponse | 'nothing' | null {
    const quirk = channel?.quirk
    if (!channel || !quirk) return null
    if (quirk.defeito === 'redireciona') return { status: 302, headers: { Location: quirk.para } }
    if (quirk.defeito === 'redireciona_caminho' && !uri.endsWith(MOVED))
      return { status: 302, headers: { Location: `${uri}${uri.includes('?') ? '&' : '?'}${MOVED}` } }
    if (quirk.defeito === 'cabecalho_sem_fim') {
      line.flood(ENDLESS)
      return 'nothing'
    }
    if (quirk.defeito === 'nonce_vencido' && !calledStale) {
      calledStale = true
      return options.gatekeeper.askAgain()
    }
    const turnedAway = busyAnswers[quirk.defeito]
    if (turnedAway === undefined || !options.ledger.turnAway(channel, quirk.vezes)) return null
    if (turnedAway === 'cut') {
      line.cut()
      return 'nothing'
    }
    return turnedAway === 401 ? options.gatekeeper.refuse() : { status: turnedAway }
  }

  async function setup(request: RtspRequest, target: Target | null): Promise<RtspResponse> {
    if (!target) return { status: 404 }
    const empty = emptiness(target, options.emptyAnswer)
    if (empty !== null || !target.video || !target.channel) return { status: typeof empty === 'number' ? empty : 404 }
    const named = sessionNamed(request)
    if (named !== null && named !== session?.id) return { status: 454 }
    if (session?.playing) return { status: 455 }
    if (target.isAudio) return await setupAudio(request, target)
    const refusal = refuseReplay(target)
    if (refusal) return refusal
    const offer = chooseTransport(request.headers.get('transport') ?? '')
    if (!offer || unsupported[target.channel.quirk?.defeito ?? ''] === offer.kind) return { status: 461 }
    const transport = await line.openTransport(offer)
    if (!transport) return { status: 503 }
    if (ended) {
      transport.close()
      return { status: 503 }
    }
    const previous = session
    // A second SETUP before PLAY changes the transport (10.4).
    if (previous) endSession(previous)
    session = createSession(sessionOf(target, target.channel, target.video, transport), previous?.id ?? null)
    const seconds = Math.max(1, Math.floor(options.sessionTimeoutMs / 1000))
    return {
      status: 200,
      headers: {
        Transport: `${transport.header};ssrc=${session.playback.ssrc};mode="PLAY"`,
        Session: `${session.id};timeout=${seconds}`,
      },
    }
  }

  /** Adds the audio track to the session of the video. */
  async function setupAudio(request: RtspRequest, target: Target): Promise<RtspResponse> {
    const audio = audioOf(target)
    if (!audio) return { status: 404 }
    if (target.channel?.quirk?.defeito === 'recusa_audio') return { status: 461 }
    const offer = chooseTransport(request.headers.get('transport') ?? '')
    if (!offer) return { status: 461 }
    const transport = await line.openTransport(offer)
    if (!session || !transport || ended) {
      transport?.close()
      return { status: session ? 503 : 455 }
    }
    session.audio?.transport.close()
    session.audio = { transport, playback: createAudioPlayback(audio, transport, options.now) }
    options.ledger.audios++
    const { ssrc } = session.audio.playback
    return { status: 200, headers: { Transport: `${transport.header};ssrc=${ssrc};mode="PLAY"`, Session: session.id } }
  }

  function sessionOf(target: Target, channel: Channel, video: EncodedVideo, transport: MediaTransport) {
    const { now } = options
    const { base, part, path } = target
    const { quirk, pausePoint } = channel
    const shared = { base, transport, quirk: quirk?.defeito ?? null }
    if (part && archive) {
      const { spans, offsetMs } = archive
      const { fromMs, toMs, isOnvif } = part
      const playback = createReplay({ video, transport, spans, fromMs, toMs, offsetMs, hasTimes: isOnvif, now })
      return { ...shared, playback, leave: archive.enter() }
    }
    const other = path.stream === 'sub' ? channel.principal : channel.sub
    const { canal, stream } = path
    const onPlay = (posicao_ms: number) => {
      if (quirk?.defeito === 'uma_sessao_derruba') options.ledger.takeOver(channel, line.cut)
      options.onPlay?.({ canal, stream, posicao_ms })
    }
    const keyframes = channel.keyframes[stream]
    const onKeyframe = () => void keyframes.regular++
    const scene = { quirk, now, pausePoint, onCut: line.cut, onPlay, onKeyframe }
    const place = quirk?.defeito === 'segunda_sessao_piora' ? options.ledger.join(channel) : null
    const sending = place ? losing(transport, place.isFollowed) : transport
    const playback = createPlayback({ video, other, transport: sending, ...scene })
    const deaf = keyframes.hear(playback.sendKeyframe)
    const leave = () => {
      deaf()
      place?.leave()
    }
    return { ...shared, playback, leave }
  }

  async function control(request: RtspRequest): Promise<RtspResponse> {
    if (!session || sessionNamed(request) !== session.id) return { status: 454 }
    const headers = { Session: session.id }
    if (request.method === 'TEARDOWN') {
      endSession(session)
      session = null
    } else if (request.method === 'PAUSE') {
      session.playback.pause()
      session.audio?.playback.pause()
      session.playing = false
    } else if (!session.playing) {
      session.playing = true
      const { base, playback } = session
      const { sequence, timestamp } = playback.play(readPlayRequest(request))
      session.audio?.playback.play()
      if (session.quirk === 'dados_antes_do_play') await sleep(LATE_ANSWER_MS)
      const info = `url=${base}/${TRACK};seq=${sequence};rtptime=${timestamp}`
      const range = request.headers.get('range') ?? ''
      const granted = range.startsWith('clock=') ? range : 'npt=now-'
      return { status: 200, headers: { ...headers, Range: granted, 'RTP-Info': info } }
    }
    return { status: 200, headers }
  }

  async function respond(request: RtspRequest, target: Target | null): Promise<RtspResponse | null> {
    const { method } = request
    const quirk = target?.channel?.quirk?.defeito
    const silent = quirk === 'mudo' || (quirk === 'mudo_apos_describe' && !['OPTIONS', 'DESCRIBE'].includes(method))
    if (silent) return null
    const isUnknown = quirk === 'sessao_options' && method === 'GET_PARAMETER'
    if (isUnknown || !METHODS.includes(method)) return { status: 501, headers: publicOf(quirk) }
    const required = request.headers.get('require')
    if (required !== undefined && !(required === REPLAY_TAG && target?.part?.isOnvif))
      return { status: 551, headers: { Unsupported: required } }
    if (method === 'OPTIONS') return { status: (quirk && optionsAnswers[quirk]) ?? 200, headers: publicOf(quirk) }
    const { gatekeeper } = options
    const isRefused = quirk === 'recusa_senha' || line.isSurplus
    const path = target?.path ?? null
    const refusal = isRefused ? gatekeeper.refuse() : gatekeeper.check(request, path, line.clientAddress)
    if (refusal) return refusal
    if (method === 'DESCRIBE') {
      options.ledger.describes++
      const odd = misbehave(target?.channel ?? null, request.uri)
      return odd === 'nothing' ? null : (odd ?? describe(request, target))
    }
    if (method === 'SETUP') return await setup(request, target)
    // Most clients use it as keep-alive, with or without a session.
    if (method.endsWith('_PARAMETER')) return { status: 200, headers: session ? { Session: session.id } : {} }
    return await control(request)
  }

  return {
    async answer(request) {
      const target = resolveTarget(request.uri, options.channels, archive)
      const response = await respond(request, target)
      if (response && isRefusal(request, response)) options.ledger.refusals++
      const quirk = target?.channel?.quirk?.defeito
      const cseq = quirk && sentNumbers[quirk]
      return response && cseq !== undefined ? { ...response, cseq } : response
    },
    keepsAlive(method) {
      const only = session?.playing && session.quirk ? keepAlives[session.quirk] : undefined
      return only === undefined || method === only
    },
    end() {
      ended = true
      if (session) endSession(session)
      session = null
    },
  }
}

/** An expired nonce is none. */
const isRefusal = (request: RtspRequest, { status, headers }: RtspResponse): boolean =>
  (status === 401 || status === 403) &&
  request.headers.has('authorization') &&
  !/stale=true/.test(headers?.['WWW-Authenticate'] ?? '')

/** Recordings have none. */
const audioOf = ({ part, channel }: Target) => (part ? null : (channel?.audio ?? null))

/** Returns the id of the Session header, which may have parameters. */
const sessionNamed = (request: RtspRequest): string | null =>
  request.headers.get('session')?.split(';')[0]?.trim() ?? null
