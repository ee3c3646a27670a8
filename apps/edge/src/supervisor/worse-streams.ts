/** Time over which the rate of a stream is measured. */
const MEASURE_MS = 2_000
/** Measures of a usual rate: it is known after 16 s, and a stream that varies by itself has none. */
const USUAL_MEASURES = 8
/** A measure below this part of the usual rate is low. */
const LOW = 0.7
/** So many low measures are no accident. Those of connections that follow one another within `CARRY_MS` are added. */
const LOW_MEASURES = 3
const CARRY_MS = 3_600_000
/** A stream becomes worse within this time of the connection that is the cause. */
const CAUSE_MS = 15_000
/** A rate above this part of the usual one is usual again, after so many measures in a row, within this time. */
const RECOVERED = 0.85
const RECOVERED_MEASURES = 2
const RECOVERY_MS = 20_000

/**
 * `worse`: right after a further connection to the host, which is still open. `recovered`, `stayed`: after its end.
 * `alone`: without a further connection.
 */
export type StreamChange = 'worse' | 'recovered' | 'stayed' | 'alone'

/** Notices analysed streams that become worse. Losses, stalls and a lower frame rate all show as fewer pictures. */
export interface WorseStreams {
  /** @param pictures usable ones since its connection began; null: it has none */
  measured(host: string, cameraId: number, pictures: number | null): StreamChange | null
  /** A further connection to a host begins at `since` (monotonic ms), beside so many others. */
  began(host: string, since: number, others: number): void
  /** One has ended; so many are left. */
  ended(host: string, left: number): void
  /** Begin of the first further connection after which the streams of the host are judged, monotonic ms. */
  sinceOf(host: string): number | null
  /** Forgets the streams of other hosts. */
  retain(hosts: readonly string[]): void
}

interface Stream {
  readonly host: string
  pictures: number
  at: number
  /** Measures without a further connection, per ms. */
  usual: readonly number[]
  isLow: boolean
  /** Low measures during connections that ended before a change. */
  carried: { readonly lows: number; readonly at: number } | null
}

interface Trial {
  readonly since: number
  readonly others: number
  /** Usual rates of the analysed streams. */
  readonly usual: Map<number, number>
  readonly lows: Map<number, number>
  /** Those of the connections before. */
  readonly carried: Map<number, number>
  begunAt: number
  /** The camera that became worse. */
  worse: number | null
  endedAt: number | null
  recovered: number
}

/** @param now monotonic ms */
export function createWorseStreams(now: () => number): WorseStreams {
  const streams = new Map<number, Stream>()
  const trials = new Map<string, Trial>()

  function forget(host: string, cameraId: number): null {
    streams.delete(cameraId)
    if (trials.get(host)?.worse === cameraId) trials.delete(host)
    return null
  }

  /** A connection after which no stream became worse in time is no cause. */
  function trialOf(host: string): Trial | undefined {
    const trial = trials.get(host)
    if (trial && trial.worse === null && now() - trial.begunAt > CAUSE_MS) trials.delete(host)
    return trials.get(host)
  }

  /** The box itself, or its network, is the likely cause if streams of several devices become worse together. */
  const isElsewhere = (host: string) =>
    [...streams.values()].some((one) => {
      return one.host !== host && one.isLow && now() - one.at < 2 * MEASURE_MS
    })

  function judgeLow(host: string, trial: Trial, cameraId: number, isLow: boolean, isWhole: boolean) {
    if (!isLow) {
      // A connection during which the stream is as usual contradicts the ones before.
      if (isWhole) trial.carried.delete(cameraId)
      return null
    }
    trial.lows.set(cameraId, (trial.lows.get(cameraId) ?? 0) + 1)
    if (lowsOf(trial, cameraId) < LOW_MEASURES || isElsewhere(host)) return null
    trial.worse = cameraId
    return 'worse'
  }

  /** @param since begin of the measure, monotonic ms */
  function judge(host: string, trial: Trial, cameraId: number, rate: number, since: number): StreamChange | null {
    const usual = trial.usual.get(cameraId)
    if (usual === undefined) return null
    if (trial.worse === null)
      return judgeLow(host, trial, cameraId, rate < LOW * usual, since >= trial.begunAt && trial.endedAt === null)
    if (trial.worse !== cameraId || trial.endedAt === null) return null
    trial.recovered = rate >= RECOVERED * usual ? trial.recovered + 1 : 0
    const isRecovered = trial.recovered >= RECOVERED_MEASURES
    if (!isRecovered && now() - trial.endedAt < RECOVERY_MS) return null
    trials.delete(host)
    return isRecovered ? 'recovered' : 'stayed'
  }

  return {
    measured(host, cameraId, pictures) {
      if (pictures === null) return forget(host, cameraId)
      const stream = streams.get(cameraId)
      if (stream === undefined || stream.host !== host || pictures < stream.pictures) {
        forget(host, cameraId)
        streams.set(cameraId, { host, pictures, at: now(), usual: [], isLow: false, carried: null })
        return null
      }
      const elapsedMs = now() - stream.at
      if (elapsedMs < MEASURE_MS) return null
      const rate = (pictures - stream.pictures) / elapsedMs
      const since = stream.at
      stream.pictures = pictures
      stream.at = now()
      const trial = trialOf(host)
      if (!trial) return judgeAlone(stream, rate)
      if (trial.worse !== null || trial.endedAt === null || since < trial.endedAt)
        return judge(host, trial, cameraId, rate, since)
      settle(trial, cameraId, stream, rate, now())
      return judgeAlone(stream, rate)
    },
    began(host, since, others) {
      const before = trialOf(host)
      if (before && before.endedAt === null) {
        before.begunAt = since
        return
      }
      const usual = [...streams].flatMap(([id, one]) => {
        const rate = one.host === host ? steadyOf(one.usual) : null
        return rate === null ? [] : [[id, rate] as const]
      })
      const carried = new Map(
        usual.map(([id]) => [id, before?.worse === null ? lowsOf(before, id) : takeCarried(streams.get(id), since)]),
      )
      const rates = { usual: new Map(usual), lows: new Map<number, number>(), carried }
      trials.set(host, { since, begunAt: since, others, ...rates, worse: null, endedAt: null, recovered: 0 })
    },
    ended(host, left) {
      const trial = trials.get(host)
      if (!trial || trial.endedAt !== null || left > trial.others) return
      trial.endedAt = now()
    },
    retain(hosts) {
      for (const [id, { host }] of [...streams]) if (!hosts.includes(host)) forget(host, id)
      for (const host of [...trials.keys()]) if (!hosts.includes(host)) trials.delete(host)
    },
    sinceOf: (host) => trials.get(host)?.since ?? null,
  }
}

const lowsOf = ({ lows, carried }: Trial, cameraId: number) => (lows.get(cameraId) ?? 0) + (carried.get(cameraId) ?? 0)

/** The connection ended before a change. Its low measures are kept if the stream is as usual right after it. */
function settle(trial: Trial, cameraId: number, stream: Stream, rate: number, at: number): void {
  const usual = trial.usual.get(cameraId)
  if (usual !== undefined && trial.lows.has(cameraId) && rate >= RECOVERED * usual)
    stream.carried = { lows: lowsOf(trial, cameraId), at }
  trial.usual.delete(cameraId)
}

function takeCarried(stream: Stream | undefined, at: number): number {
  const carried = stream?.carried
  if (stream) stream.carried = null
  return carried && at - carried.at <= CARRY_MS ? carried.lows : 0
}

function judgeAlone(stream: Stream, rate: number): StreamChange | null {
  stream.usual = [...stream.usual.slice(1 - USUAL_MEASURES), rate]
  const usual = medianOf(stream.usual)
  if (usual !== null) stream.isLow = rate < LOW * usual
  if (usual === null || stream.usual.filter((one) => one < LOW * usual).length < LOW_MEASURES) return null
  stream.usual = []
  stream.carried = null
  return 'alone'
}

/** null: too few measures. */
const medianOf = (rates: readonly number[]): number | null =>
  rates.length < USUAL_MEASURES ? null : (rates.toSorted((a, b) => a - b)[USUAL_MEASURES / 2] ?? null)

/** The usual rate; null: unknown, or the stream varies by itself. */
function steadyOf(rates: readonly number[]): number | null {
  const usual = medianOf(rates)
  return usual === null || usual === 0 || rates.some((rate) => rate < LOW * usual) ? null : usual
}
