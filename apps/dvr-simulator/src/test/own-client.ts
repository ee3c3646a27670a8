import { openRtspSession, type RtspAccessUnit, type RtspEnd, type RtspParameters } from '@vigia/rtsp/client'
import { createSimulator, type SimulatorOptions } from '../simulator.ts'
import { footageFile } from './clips.ts'

type SessionOptions = Parameters<typeof openRtspSession>[0]

export interface Watched {
  readonly end: RtspEnd
  readonly units: readonly RtspAccessUnit[]
  readonly parameters: readonly RtspParameters[]
  /** Units that had come when each parameters came. */
  readonly parametersAt: readonly number[]
}

export interface WatchOptions extends Partial<SessionOptions> {
  /** Units after which the caller has enough. */
  readonly count: number
  readonly canal?: number
  readonly userinfo?: string
}

/** Starts a simulator with the short sub stream on channel 1 and H.265 on channel 2, and plays from it with the own client. */
export async function startSimulator(options: Partial<SimulatorOptions> = {}) {
  const simulator = createSimulator({
    porta: 0,
    canais: [{ principal: footageFile('campus-b-sub.mp4') }, { principal: footageFile('campus-c-h265.mp4') }],
    ...options,
  })
  const { porta } = await simulator.start()
  return {
    simulator,
    watch: ({ canal = 1, userinfo = '', ...rest }: WatchOptions) =>
      watchSession({ url: `rtsp://${userinfo}127.0.0.1:${porta}/cam/realmonitor?channel=${canal}&subtype=0`, ...rest }),
  }
}

/** Plays until so many units came, or the session ended by itself. */
export async function watchSession({
  count,
  url,
  ...rest
}: Partial<SessionOptions> & { count: number; url: string }): Promise<Watched> {
  const stop = new AbortController()
  const units: RtspAccessUnit[] = []
  const parameters: RtspParameters[] = []
  const parametersAt: number[] = []
  const end = await openRtspSession({
    url,
    openTimeoutMs: 5000,
    stallTimeoutMs: 5000,
    signal: stop.signal,
    ...rest,
    onParameters(given) {
      parameters.push(given)
      parametersAt.push(units.length)
    },
    onAccessUnit(unit) {
      units.push(unit)
      if (units.length >= count) stop.abort()
    },
  })
  return { end, units, parameters, parametersAt }
}
