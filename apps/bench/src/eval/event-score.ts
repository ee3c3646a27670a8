import type { NomeIa } from '@vigia/contracts/ias'
import type { Expectation, Expected } from './expectations.ts'
import type { VideoEvent } from './watch-video.ts'

interface Found {
  readonly startS: number
  readonly endS: number
  readonly detail: string
  /** When the first event came; null: missed. */
  readonly eventS: number | null
  /** From the beginning of the label to the event, s. */
  readonly delayS: number | null
}

/** How one IA did in one video. */
export interface EventScore {
  readonly ia: NomeIa
  readonly labels: readonly Found[]
  readonly falseEvents: readonly VideoEvent[]
  /** More than one event of one label: neither right nor false. */
  readonly repeated: number
  /** The edge fired and the verifier refuted it, where the labels judge. */
  readonly refuted: number
  /** Events of which the labels say nothing. */
  readonly unjudged: number
  /** Length of what was judged, s. */
  readonly judgedS: number
}

/** Labels are made by hand and eye: an event this near to one belongs to it, s. */
const TOLERANCE_S = 1

/**
 * Compares the events of one IA with what was expected. An event belongs to the label in whose time (± 1 s) it lies, the one that
 * ends first where there are several; a refuted one counts for nothing. Each line crossed counts once, so a second event of one
 * crossing is false; of a presence it is a repetition.
 */
export function scoreEvents(
  ia: NomeIa,
  events: readonly VideoEvent[],
  expectation: Expectation | null,
  durationS: number,
): EventScore {
  const { expected = [], judged = [] } = expectation ?? {}
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
    else if (near.length > 0 && ia !== 'cruzamento_linha') repeated += 1
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

const belongs = (event: VideoEvent, { startS, endS, direcao }: Expected) =>
  event.atS >= startS - TOLERANCE_S &&
  event.atS <= endS + TOLERANCE_S &&
  (direcao === null || event.detalhes.direcao === direcao)
