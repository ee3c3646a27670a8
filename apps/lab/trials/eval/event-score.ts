import { isDeepStrictEqual } from 'node:util'
import type { NomeIa } from '@vigia/contracts/ias'
import type { VideoEvent } from './analyse-video.ts'
import { benchOf } from './benches.ts'
import type { Expectation, Expected } from './expectations.ts'

interface Found {
  readonly startS: number
  readonly endS: number
  readonly detail: string
  /** Time of the first event; null: missed. */
  readonly eventS: number | null
  /** From the start of the label to the event. */
  readonly delayS: number | null
}

/** Score of one IA in one video. */
export interface EventScore {
  readonly ia: NomeIa
  readonly labels: readonly Found[]
  readonly falseEvents: readonly VideoEvent[]
  /** Further events of one label: neither right nor false. */
  readonly repeated: number
  /** Events refuted by the verifier within the judged stretches. */
  readonly refuted: number
  /** Events outside the judged stretches. */
  readonly unjudged: number
  /** Length of the judged stretches. */
  readonly judgedS: number
}

/** Labels are made by hand: an event within this distance belongs to a label. */
const TOLERANCE_S = 1

/**
 * Compares the events of one IA with the expected ones. An event belongs to the label that contains its time (± 1 s);
 * of several, to the one that ends first. A refuted event does not count. A second event of a label is a repetition,
 * or false if the IA counts exactly.
 */
export function scoreEvents(
  ia: NomeIa,
  events: readonly VideoEvent[],
  expectation: Expectation | null,
  durationS: number,
): EventScore {
  const { expected = [], judged = [] } = expectation ?? {}
  const { countsExactly = false } = benchOf(ia)
  const mine = events.filter((event) => event.ia === ia).toSorted((a, b) => a.atS - b.atS)
  const isJudged = ({ atS }: VideoEvent) => judged.some(({ startS, endS }) => atS >= startS && atS <= endS)
  const first = new Map<Expected, VideoEvent>()
  const falseEvents: VideoEvent[] = []
  let [repeated, unjudged, refuted] = [0, 0, 0]
  for (const event of mine) {
    const near = expected.filter((label) => belongs(event, label)).toSorted((a, b) => a.endS - b.endS)
    const free = near.find((label) => !first.has(label))
    if (event.decisao === 'refutado') refuted += isJudged(event) ? 1 : 0
    else if (free) first.set(free, event)
    else if (near.length > 0 && !countsExactly) repeated += 1
    else if (isJudged(event)) falseEvents.push(event)
    else unjudged += 1
  }
  return {
    ia,
    labels: expected.map((label) => {
      const eventS = first.get(label)?.atS ?? null
      const delayS = eventS === null ? null : Math.max(0, eventS - label.startS)
      return { startS: label.startS, endS: label.endS, detail: label.detail, eventS, delayS }
    }),
    falseEvents,
    repeated,
    refuted,
    unjudged,
    judgedS: judged.reduce((sum, { startS, endS }) => sum + Math.max(0, Math.min(endS, durationS) - startS), 0),
  }
}

const belongs = ({ atS, detalhes }: VideoEvent, { startS, endS, required }: Expected) =>
  atS >= startS - TOLERANCE_S && atS <= endS + TOLERANCE_S && isDeepStrictEqual({ ...detalhes, ...required }, detalhes)
