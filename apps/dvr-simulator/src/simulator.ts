import { VigiaError } from '@vigia/contracts/errors'
import { type EncodedVideo, readAccessUnits } from '@vigia/video/testing/access-units'
import { withLongGroups } from '@vigia/video/testing/long-groups'
import { createListServer, type ListCounts } from './archive-http/server.ts'
import { createOnvifServer, type OnvifCounts, type OnvifServer, type OnvifSettings } from './onvif/server.ts'
import { type EmptyAnswer, isLong, type Quirk, type QuirksInput, quirksSchema } from './quirks.ts'
import { type AudioKind, encodeTone } from './rtp/audio.ts'
import { createKeyframes } from './rtp/keyframe-calls.ts'
import { createPausePoint } from './rtp/pause-point.ts'
import { type ArchiveSettings, createArchive } from './rtsp/archive.ts'
import type { Channel } from './rtsp/channels.ts'
import type { PlayStart } from './rtsp/dialogue.ts'
import { createGatekeeper, type Scheme } from './rtsp/gatekeeper.ts'
import { type Counts, createRtspServer, type RtspServer } from './rtsp/server.ts'

/** Files of one channel; without `sub` the main file serves both streams. Null: an empty channel. */
export type ChannelFiles = { readonly principal: string; readonly sub?: string } | null

export interface SimulatorOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** 0: any free port. */
  readonly porta: number
  /** Absent: no authentication. */
  readonly usuario?: string
  readonly senha?: string
  /** Channel 1 first. */
  readonly canais: readonly ChannelFiles[]
  /** Default `md5`. */
  readonly autenticacao?: Scheme
  readonly defeitos?: QuirksInput
  /** Answer of a channel without video; default `vazio_404`. */
  readonly canalVazio?: EmptyAnswer
  /** Limit of parallel clients; further clients get 503. Default 64. */
  readonly maxConexoes?: number
  /** Limit of parallel clients; further clients get 401 for any password. Default: no limit. */
  readonly conexoes401?: number
  /** Failed logins after which an address is locked out. Default: never. */
  readonly bloqueioApos?: number
  /** Time without a request after which a client's session ends. */
  readonly sessaoExpiraS?: number
  /** Time after which a client must sign with a new nonce. */
  readonly nonceExpiraS?: number
  /** Recordings of its channels, each in a loop. Absent: none. */
  readonly gravacao?: ArchiveSettings
  /** Format of a tone that all live streams carry beside the video. Absent: no audio. */
  readonly audio?: AudioKind
  /** Without it the simulator has no ONVIF service. */
  readonly onvif?: OnvifSettings
  /** Called with a Portuguese sentence for each unusable file, whose channel answers like an empty one. */
  readonly onAviso?: (texto: string) => void
  /** Called for each client that begins to receive live pictures. */
  readonly onPlay?: (start: PlayStart) => void
}

export interface Simulator {
  /** Reads the files, then listens. Rejects with VigiaError `conflito` when the port is taken. */
  start(): Promise<{
    porta: number
    /** HTTP port of the list of recordings; null: none. */
    portaLista: number | null
  }>
  stop(): Promise<void>
  /**
   * Stops the scene of a channel at the keyframe at `segundo` of its loop. Resolves when a client gets that picture.
   * Only after the start.
   */
  pause(canal: number, segundo: number): Promise<void>
  /** Continues from that picture. */
  resume(canal: number): void
  /** All clients of a live stream get a keyframe now. Only after the start. */
  sendKeyframe(canal: number, stream: 'principal' | 'sub'): void
  /** Null before the start. */
  readonly contagem: (Counts & KeyframeCounts & Partial<OnvifCounts & ListCounts>) | null
}

interface KeyframeCounts {
  /** Keyframes that clients of each channel got without a request. */
  readonly quadros_chave: readonly { readonly principal: number; readonly sub: number }[]
}

/** A recorder: RTSP server over TCP and UDP with channels, the address forms of all makers, and optional faults. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const quirks = quirksSchema.parse(options.defeitos ?? {})
  const { host = '127.0.0.1', porta, usuario, senha } = options
  const now = () => performance.now()
  let server: RtspServer | null = null
  let channels: readonly Channel[] = []
  let onvif: OnvifServer | null = null
  let list: ReturnType<typeof createListServer> | null = null

  async function load(file: string, canal: number): Promise<EncodedVideo | null> {
    try {
      return await readAccessUnits(file)
    } catch (error) {
      if (!(error instanceof VigiaError)) throw error
      options.onAviso?.(`Canal ${canal}: ${error.detalhe}`)
      return null
    }
  }

  async function loadChannels(): Promise<Channel[]> {
    const channels: Channel[] = []
    const audio = options.audio === undefined ? null : encodeTone(options.audio)
    // A quirk may belong to a channel after the last one with a file.
    const count = Math.max(options.canais.length, ...Object.keys(quirks).map(Number))
    for (let canal = 1; canal <= count; canal++) {
      const files = options.canais[canal - 1] ?? null
      const principal = files && (await load(files.principal, canal))
      const sub = files?.sub === undefined ? principal : await load(files.sub, canal)
      const quirk = quirks[canal] ?? null
      const coded = await codedBy(quirk, { principal, sub })
      const pausePoint = createPausePoint(now, now() - joinedMs(quirk, principal))
      channels.push({ ...coded, quirk, pausePoint, keyframes: createKeyframes(), audio })
    }
    return channels
  }

  return {
    async start() {
      channels = await loadChannels()
      const nonceLifeMs = (options.nonceExpiraS ?? 600) * 1000
      const credentials = usuario === undefined ? null : { usuario, senha: senha ?? '' }
      server = createRtspServer({
        host,
        port: porta,
        channels,
        gatekeeper: createGatekeeper({
          credentials,
          scheme: options.autenticacao ?? 'md5',
          nonceLifeMs,
          ...(options.bloqueioApos === undefined ? {} : { lockAfter: options.bloqueioApos }),
          now,
        }),
        archive: options.gravacao ? createArchive(options.gravacao) : null,
        emptyAnswer: options.canalVazio ?? 'vazio_404',
        maxConnections: options.maxConexoes ?? 64,
        ...(options.conexoes401 === undefined ? {} : { refuseBeyond: options.conexoes401 }),
        sessionTimeoutMs: (options.sessaoExpiraS ?? 60) * 1000,
        now,
        onPlay: options.onPlay,
      })
      try {
        const { port } = await server.start()
        if (options.onvif) {
          onvif = createOnvifServer({ ...options.onvif, listenOn: host, rtspPorta: port, channels, credentials })
          await onvif.start()
        }
        const { gravacao } = options
        if (gravacao?.lista) {
          const canais = channels.length
          list = createListServer({ host, archive: gravacao, settings: gravacao.lista, canais, credentials })
        }
        return { porta: port, portaLista: (await list?.start()) ?? null }
      } catch (error) {
        await server.stop()
        throw listenProblem(error, host, (error as { port?: number }).port ?? porta)
      }
    },
    async stop() {
      await Promise.all([server?.stop(), onvif?.stop(), list?.stop()])
    },
    pause: (canal, segundo) =>
      new Promise((resolve) => channels[canal - 1]?.pausePoint.set(segundo * 1000, () => resolve())),
    resume: (canal) => channels[canal - 1]?.pausePoint.clear(),
    sendKeyframe: (canal, stream) => channels[canal - 1]?.keyframes[stream].call(),
    get contagem() {
      const quadros_chave = channels.map(({ keyframes: { principal, sub } }) => ({
        principal: principal.regular,
        sub: sub.regular,
      }))
      return server && { ...server.counts, quadros_chave, ...onvif?.counts, ...list?.counts }
    },
  }
}

type Streams = Pick<Channel, 'principal' | 'sub'>

/** The streams of a channel as its quirk codes them. */
async function codedBy(quirk: Quirk | null, { principal, sub }: Streams): Promise<Streams> {
  if (!isLong(quirk)) return { principal, sub }
  const coded = (video: EncodedVideo | null) => video && withLongGroups(video, quirk.quadros)
  const long = await coded(principal)
  const onlyMain = quirk.defeito === 'grupo_longo_principal'
  return { principal: long, sub: onlyMain ? sub : sub === principal ? long : await coded(sub) }
}

/** Position of the first client in the loop. */
const joinedMs = (quirk: Quirk | null, video: EncodedVideo | null): number =>
  isLong(quirk) && video ? (quirk.quadros * 500) / video.fps : 0

function listenProblem(error: unknown, host: string, porta: number): unknown {
  const code = (error as NodeJS.ErrnoException).code
  const detalhe =
    code === 'EADDRINUSE'
      ? `A porta ${porta} já está em uso. Escolha outra com --porta.`
      : code === 'EACCES'
        ? `Sem permissão para abrir a porta ${porta}. Escolha uma acima de 1023 com --porta.`
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? `Esta máquina não tem o endereço ${host}. Escolha outro com --host.`
          : null
  return detalhe === null ? error : new VigiaError('conflito', { detalhe, cause: error })
}
