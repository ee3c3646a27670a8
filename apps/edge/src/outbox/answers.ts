import type { Confirmacao, Confirmacoes } from '@vigia/contracts/candidate'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from 'pino'
import type { EventObserver } from '../telemetry/event-observer.ts'
import type { Flight, Flights } from './flights.ts'
import type { Lane } from './lane.ts'
import type { Lanes } from './lanes.ts'
import type { Releases } from './releases.ts'

/** Applies the cloud's answers, and their absence, to the records in flight. */
export interface Answers {
  /** Waits for the answer to a batch whose bytes are sent. */
  expect(flight: Flight): void
  /** Called with the cloud's answers, the only messages that remove records from the outbox. */
  take(itens: Confirmacoes['itens']): void
}

export interface AnswersOptions {
  readonly flights: Flights
  readonly lanes: Pick<Lanes, 'rewind'>
  readonly releases: Pick<Releases, 'release'>
  readonly log: Logger
  readonly observer?: Pick<EventObserver, 'settled'> | undefined
  /** Monotonic ms. */
  monotonic(): number
  readonly confirmTimeout: { readonly minMs: number; readonly maxMs: number }
  /** A batch had no answer in time: its lanes were rewound. */
  onSilence(): void
}

/** Pause of a lane after repeated answers that a record is missing, in ms; the first time it rewinds at once. */
const DISORDER_PAUSE = { minMs: 25, maxMs: 5_000 }

export function createAnswers(options: AnswersOptions): Answers {
  const { flights, lanes, releases, log, monotonic } = options

  function unanswered(flight: Flight) {
    const silent = new Set(flight.pending.values())
    log.debug({ records: flight.pending.size }, 'no answer to a batch: repeating it')
    for (const lane of silent) {
      lane.silences++
      goBack(lane)
    }
    options.onSilence()
  }

  function goBack(lane: Lane) {
    flights.forget(lane)
    lanes.rewind(lane)
  }

  function outOfOrder(lane: Lane) {
    lane.disorders++
    if (lane.disorders > 1) {
      lane.pausedUntil = monotonic() + backoffMs(lane.disorders - 2, DISORDER_PAUSE)
      lane.asked = false
    }
    goBack(lane)
  }

  /** The cloud cannot store the records of this camera now. */
  function waitAsked(lane: Lane, seconds: number) {
    lane.pausedUntil = monotonic() + seconds * 1_000
    lane.asked = true
    lane.silences = 0
    goBack(lane)
  }

  function settled({ id }: Confirmacao) {
    const lane = flights.settle(id)
    if (!lane) return
    lane.silences = 0
    lane.disorders = 0
    lane.pausedUntil = 0
    lane.asked = false
  }

  return {
    /**
     * The timeout starts when the bytes are sent: on a narrow uplink a picture may need minutes. The timeout doubles,
     * and its upper half is random, so that the sites do not repeat to a returning cloud in one burst.
     */
    expect(flight) {
      if (flight.pending.size === 0) return
      const silences = Math.max(...[...flight.pending.values()].map((lane) => lane.silences))
      flight.timer = setTimeout(() => unanswered(flight), backoffMs(silences, options.confirmTimeout))
    },
    take(itens) {
      const done = itens.filter(({ resultado }) => resultado !== 'fora_de_ordem')
      // A camera removed in the cloud may have thousands of records: one log line per answer.
      const [refused, ...others] = itens.filter(({ resultado }) => resultado === 'recusado')
      if (refused) log.error({ ...refused, records: 1 + others.length }, 'the cloud refused records: dropped')
      for (const item of done) {
        settled(item)
        options.observer?.settled(item)
      }
      releases.release(done.map(({ id }) => id))
      const notStored = itens.filter(({ resultado }) => resultado === 'fora_de_ordem')
      const asked = new Map(
        notStored.flatMap(({ id, espere_s }): [Lane, number][] => {
          const lane = espere_s === undefined ? null : flights.laneOf(id)
          return lane && espere_s !== undefined ? [[lane, espere_s]] : []
        }),
      )
      const disordered = notStored.flatMap(({ id }) => flights.laneOf(id) ?? []).filter((lane) => !asked.has(lane))
      for (const [lane, seconds] of asked) waitAsked(lane, seconds)
      // Several records of one lane may report this in one answer: the lane rewinds once.
      for (const lane of new Set(disordered)) outOfOrder(lane)
    },
  }
}
