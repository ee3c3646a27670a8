import { LONGEST_GROUP_MS, USUAL_GROUP_MS } from '@vigia/contracts/keyframes'
import { openRtspSession, type RtspAccessUnit, type RtspEnd, type RtspParameters } from './client.ts'
import type { Span } from './playback-urls.ts'

export interface PullOptions {
  /** Playback address with credentials (playback-urls.ts). */
  readonly url: string
  /** The wanted part. Pictures of the same keyframe interval before it are passed on, too. */
  readonly span: Span
  /** Clock of the recorder minus the true time, ms, for the times in its packets. Default 0. */
  readonly offsetMs?: number
  /** Value of the Range header; absent: the address has the times. */
  readonly range?: string
  /** Option tag of SETUP and PLAY. */
  readonly require?: string
  /** `false`: as fast as the connection allows. Recorders that refuse it are asked without it. */
  readonly rateControl?: boolean
  readonly openTimeoutMs?: number
  /** Silence after which a recording counts as ended. */
  readonly silenceMs?: number
  readonly signal: AbortSignal
  onParameters(parameters: RtspParameters): void
  onAccessUnit(unit: RtspAccessUnit): void
}

/** How a pull ended, and what it brought. */
export interface Pulled {
  /**
   * `complete`: up to the end of the span. `short`: the recording has a gap, or ends before the span does.
   * Otherwise the failure of the session; `aborted`: the caller's signal.
   */
  readonly end: 'complete' | 'short' | RtspEnd
  /** Units passed on. */
  readonly units: number
  /** Pictures were skipped, because no keyframe had come before them. */
  readonly hasSkipped: boolean
}

const TICKS_PER_MS = 90
const OPEN_MS = 10_000
const SILENCE_MS = 5_000
/** A recorder that plays at the speed of time needs the span itself; twice as long bounds one that never ends. */
const LONGEST_FACTOR = 2
/** A recorder that stops at the wanted time sends its last picture up to this long before. */
const LAST_PICTURE_MS = 1_000

/**
 * Plays a part of a recorder's archive. Many recorders ignore the end in the address, so this client stops by itself.
 * It stops at the wanted time, at BYE, after silence, and after twice the length of the span.
 *
 * Without a time in the packets (ONVIF replay extension), a jump of the RTP time ends the pull. The time behind it is
 * unknown. A recorder may begin with the keyframe before the wanted time, which a "smart" codec sends rarely. Without
 * times the pull then goes on for the longest lead that the first group allows, so that it has the wanted part.
 */
export async function pullRecording(options: PullOptions): Promise<Pulled> {
  const { span, signal, silenceMs = SILENCE_MS, openTimeoutMs = OPEN_MS } = options
  const wantedMs = span.toMs - span.fromMs
  const stop = new AbortController()
  const longestMs = openTimeoutMs + silenceMs + LONGEST_FACTOR * wantedMs + LONGEST_GROUP_MS
  const deadline = setTimeout(() => stop.abort(), longestMs)
  let units = 0
  let hasSkipped = false
  const firstGroup = createFirstGroup()
  let lastMs = 0
  let reached: 'complete' | 'short' | null = null
  const finish = (end: 'complete' | 'short') => {
    reached = end
    stop.abort()
  }
  try {
    const end = await openRtspSession({
      url: options.url,
      openTimeoutMs,
      stallTimeoutMs: silenceMs,
      // The end of a session with a range is no failure.
      range: options.range ?? 'npt=0.000-',
      ...(options.require !== undefined && { require: options.require }),
      ...(options.rateControl !== undefined && { rateControl: options.rateControl }),
      signal: AbortSignal.any([signal, stop.signal]),
      onParameters: options.onParameters,
      onSkipped() {
        hasSkipped = true
      },
      onAccessUnit(unit) {
        if (reached !== null) return
        const position = positionMs(unit, span.fromMs + (options.offsetMs ?? 0))
        if (position === null) return finish('short')
        firstGroup.unit(unit, position)
        if (position >= wantedMs + firstGroup.leadMs) return finish('complete')
        units++
        lastMs = Math.max(lastMs, position)
        options.onAccessUnit(unit)
      },
    })
    if (reached !== null) return { end: reached, units, hasSkipped }
    if (signal.aborted) return { end: 'aborted', units, hasSkipped }
    const isOver = units > 0 && (end === 'end' || end === 'aborted' || isSilence(end))
    if (isOver) return { end: lastMs >= wantedMs - LAST_PICTURE_MS ? 'complete' : 'short', units, hasSkipped }
    return { end: end === 'aborted' ? noPictures : end, units, hasSkipped }
  } finally {
    clearTimeout(deadline)
  }
}

const noPictures = { failure: 'sem_quadros', detail: null, status: null } as const

/** A recording that ended: the recorder keeps the connection and sends nothing, or closes it. */
const isSilence = (end: Exclude<RtspEnd, string>): boolean =>
  end.failure === 'video_parado' || end.failure === 'fluxo_encerrado'

/** Time of a unit since `fromMs` by the recorder's clock, ms; null: unknown. */
function positionMs(unit: RtspAccessUnit, fromMs: number): number | null {
  if (unit.replayUtcMs !== null) return unit.replayUtcMs - fromMs
  return unit.jumped ? null : ticksOf(unit) / TICKS_PER_MS
}

/** RTP time of a unit since the beginning of the playback. */
export const ticksOf = ({ ticks, skippedTicks }: Pick<RtspAccessUnit, 'ticks' | 'skippedTicks'>): number =>
  ticks + skippedTicks

/** The first group of pictures, which may begin before the wanted time. */
function createFirstGroup() {
  let startMs: number | null = null
  let endMs: number | null = null
  let leadMs = 0
  return {
    unit({ keyframe, replayUtcMs, skippedTicks }: RtspAccessUnit, position: number) {
      // A recorder that begins in the middle of a group begins at the wanted time.
      if (replayUtcMs !== null || skippedTicks > 0) return
      startMs ??= position
      if (keyframe && position > startMs) endMs ??= position
      const length = (endMs ?? position) - startMs
      leadMs = length > USUAL_GROUP_MS ? length : 0
    },
    /** Longest time by which the pictures may be older than their position. */
    get leadMs() {
      return leadMs
    },
  }
}
