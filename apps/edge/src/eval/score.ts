import type { Label } from './labels.ts'
import type { VideoEvent } from './watch-video.ts'

interface PersonScore {
  readonly startS: number
  readonly endS: number
  readonly detail: string
  /** When the first confirmed event came; null: missed. */
  readonly firstEventS: number | null
  readonly events: number
}

export interface VideoScore {
  readonly video: string
  readonly durationS: number
  readonly failure: string | null
  readonly candidates: number
  readonly confirmed: number
  readonly persons: readonly PersonScore[]
  /** Confirmed events while nobody is there, in a video whose persons are labelled. */
  readonly falseEvents: readonly VideoEvent[]
  /** Candidates, confirmed or not, where nothing moves. */
  readonly eventsWithoutMotion: readonly VideoEvent[]
  /** Labels of other events: not judged here, listed with the confirmed events inside them. */
  readonly others: readonly { event: string; startS: number; endS: number; events: number }[]
  readonly labelled: boolean
  readonly events: readonly VideoEvent[]
  readonly ok: boolean
}

const within = ({ atS }: VideoEvent, { startS, endS }: { startS: number; endS: number }) => atS >= startS && atS <= endS

/** Compares what was found in one video with its labels. */
export function scoreVideo(
  video: string,
  watched: { readonly events: readonly VideoEvent[]; readonly durationS: number; readonly failure: string | null },
  labels: readonly Label[],
): VideoScore {
  const mine = labels.filter((label) => label.video === video)
  const confirmed = watched.events.filter(({ decisao }) => decisao === 'confirmado')
  const personLabels = mine.filter(({ event }) => event === 'person_present')
  const stillLabels = mine.filter(({ event }) => event === 'no_motion')
  const persons = personLabels.map((label) => {
    const inside = confirmed.filter((event) => within(event, label))
    const { startS, endS, detail } = label
    return { startS, endS, detail, firstEventS: inside[0]?.atS ?? null, events: inside.length }
  })
  const isOutside = (event: VideoEvent) => !personLabels.some((label) => within(event, label))
  const falseEvents = personLabels.length > 0 ? confirmed.filter(isOutside) : []
  const eventsWithoutMotion = watched.events.filter((event) => stillLabels.some((label) => within(event, label)))
  return {
    video,
    ...watched,
    candidates: watched.events.length,
    confirmed: confirmed.length,
    persons,
    falseEvents,
    eventsWithoutMotion,
    others: mine
      .filter((label) => !personLabels.includes(label) && !stillLabels.includes(label))
      .map((label) => ({
        event: label.event,
        startS: label.startS,
        endS: label.endS,
        events: confirmed.filter((event) => within(event, label)).length,
      })),
    labelled: mine.length > 0,
    ok:
      watched.failure === null &&
      eventsWithoutMotion.length === 0 &&
      persons.every(({ firstEventS }) => firstEventS !== null),
  }
}
