import {
  openRtspSession,
  type RtpTransport,
  type RtspAccessUnit,
  type RtspEnd,
  type RtspParameters,
} from '@vigia/rtsp/client'
import { type QuirksInput, quirksSchema } from '../quirks.ts'
import { createKeyframes } from '../rtp/keyframe-calls.ts'
import { createPausePoint } from '../rtp/pause-point.ts'
import { createGatekeeper } from '../rtsp/gatekeeper.ts'
import { createRtspServer } from '../rtsp/server.ts'
import { createSimulator, type SimulatorOptions } from '../simulator.ts'
import { footageFile, shortClip } from './clips.ts'

type SessionOptions = Parameters<typeof openRtspSession>[0]

export interface Watched {
  readonly end: RtspEnd
  readonly units: readonly RtspAccessUnit[]
  readonly parameters: readonly RtspParameters[]
  /** Number of received units at each change of the parameter sets. */
  readonly parametersAt: readonly number[]
  /** Number of units received before the answer to PLAY. */
  readonly playingAt: number | null
  readonly transport: RtpTransport | null
}

export interface PlayOptions extends Partial<SessionOptions> {
  /** Number of units after which playback stops. */
  readonly count: number
  readonly canal?: number
  readonly userinfo?: string
}

/** Starts a simulator with H.264 on channel 1 and H.265 on channel 2, and plays from it with the own client. */
export async function startSimulator(options: Partial<SimulatorOptions> = {}) {
  const simulator = createSimulator({
    porta: 0,
    canais: [{ principal: footageFile('campus-b-sub.mp4') }, { principal: footageFile('campus-c-h265.mp4') }],
    ...options,
  })
  const { porta } = await simulator.start()
  return {
    simulator,
    watch: ({ canal = 1, userinfo = '', ...rest }: PlayOptions) =>
      watchSession({ url: `rtsp://${userinfo}127.0.0.1:${porta}/cam/realmonitor?channel=${canal}&subtype=0`, ...rest }),
  }
}

interface FaultOptions {
  readonly principal: string
  readonly sub?: string
  readonly defeito?: QuirksInput[string]
  readonly sessionTimeoutMs?: number
}

/** One channel that plays 40 pictures of a clip (a keyframe every 20) twenty times as fast, in a loop. */
export async function startFault({ principal, sub, defeito, sessionTimeoutMs = 60_000 }: FaultOptions) {
  const now = () => performance.now()
  const video = await shortClip(principal, 2, 20)
  const quirk = defeito === undefined ? null : (quirksSchema.parse({ 1: defeito })[1] ?? null)
  const pausePoint = createPausePoint(now)
  const server = createRtspServer({
    host: '127.0.0.1',
    port: 0,
    channels: [
      {
        principal: video,
        sub: sub === undefined ? video : await shortClip(sub, 2, 20),
        quirk,
        pausePoint,
        keyframes: createKeyframes(),
        audio: null,
      },
    ],
    gatekeeper: createGatekeeper({ credentials: null, scheme: 'md5', nonceLifeMs: 600_000, now }),
    emptyAnswer: 'vazio_404',
    maxConnections: 4,
    sessionTimeoutMs,
    now,
  })
  const { port } = await server.start()
  const url = `rtsp://127.0.0.1:${port}/stream1`
  return { video, server, url, watch: (options: PlayOptions) => watchSession({ url, ...options }) }
}

/** Starts servers of `startFault` that run until `stop`, because tests of a file may play at the same time. */
export function faultServers() {
  const stops: (() => Promise<void>)[] = []
  return {
    async start(options: FaultOptions) {
      const started = await startFault(options)
      stops.push(started.server.stop)
      return started
    },
    stop: () => Promise.all(stops.map((stop) => stop())),
  }
}

/** Plays until this many units have arrived or the session has ended. */
export async function watchSession({
  count,
  url,
  ...rest
}: Partial<SessionOptions> & { count: number; url: string }): Promise<Watched> {
  const stop = new AbortController()
  const units: RtspAccessUnit[] = []
  const parameters: RtspParameters[] = []
  const parametersAt: number[] = []
  let playingAt: number | null = null
  let transport: RtpTransport | null = null
  const end = await openRtspSession({
    url,
    openTimeoutMs: 5000,
    stallTimeoutMs: 5000,
    signal: stop.signal,
    ...rest,
    onPlaying() {
      playingAt = units.length
    },
    onTransport(granted) {
      transport = granted
    },
    onParameters(given) {
      parameters.push(given)
      parametersAt.push(units.length)
    },
    onAccessUnit(unit) {
      units.push(unit)
      if (units.length >= count) stop.abort()
    },
  })
  return { end, units, parameters, parametersAt, playingAt, transport }
}
