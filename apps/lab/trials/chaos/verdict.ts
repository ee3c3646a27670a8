import type { Ledger, StoredEvent, StoredGap } from '../../src/counting/ledger-store.ts'
import { type DropShares, dropsText } from './drops.ts'
import type { WitnessReport } from './witnesses.ts'

export interface Verdict {
  readonly produced: number
  readonly stored: number
  /** Produced events that are neither stored nor in a gap record of the quota, and missing pictures. */
  readonly lost: number
  readonly duplicated: number
  /** Events that are listed before an earlier one of the same camera, or that have a wrong number. */
  readonly misordered: number
  /** Numbers that are neither stored nor in any gap record, or that the cloud still reports as on the way. */
  readonly unrecordedGaps: number
  /** Events that the quota dropped and recorded. */
  readonly droppedEvents: number
  readonly droppedPictures: number
  /** Stored further pictures; the edge may drop any of them. */
  readonly evidence: number
  /** Stored discarded candidates. */
  readonly discards: number
  /** Extras that the edge has not delivered. */
  readonly extrasWaiting: number
  /** Events without a clip and without a named reason. */
  readonly clipsLost: number
}

/** Gap reasons with which the edge itself reports the records as dropped. */
const CONFESSED = new Set(['cota_de_disco', 'disco_indisponivel'])

export function judge(ledger: Ledger): Verdict {
  const { produced, events, gaps, waiting, evidence, discards, extrasWaiting, clipsLost } = ledger
  if (waiting > 0) throw new Error(`${waiting} records were never delivered`)
  const cameras = produced.map(({ cameraId, k }) =>
    judgeCamera(
      k,
      events.filter((event) => event.cameraId === cameraId),
      gaps.filter((gap) => gap.cameraId === cameraId),
    ),
  )
  const sum = (key: keyof CameraVerdict) => cameras.reduce((total, camera) => total + camera[key], 0)
  const strangers = events.filter(({ cameraId }) => !produced.some((camera) => camera.cameraId === cameraId)).length
  return {
    produced: sum('produced'),
    stored: events.length,
    lost: sum('lost') + evidence.missing,
    duplicated: sum('duplicated') + strangers,
    misordered: sum('misordered'),
    unrecordedGaps: sum('unrecordedGaps'),
    droppedEvents: sum('droppedEvents'),
    droppedPictures: sum('droppedPictures'),
    evidence: evidence.stored,
    discards,
    extrasWaiting,
    clipsLost,
  }
}

type CameraVerdict = Omit<Verdict, 'evidence' | 'discards' | 'extrasWaiting' | 'clipsLost'>

/** The source numbers its events from 1 without gaps, so the sequences of edge and source must be equal. */
function judgeCamera(reached: number, events: readonly StoredEvent[], gaps: readonly StoredGap[]): CameraVerdict {
  const stored = new Set(events.map(({ k }) => k))
  const confessed = numbersOf(gaps.filter(({ reason }) => CONFESSED.has(reason)))
  const recorded = numbersOf(gaps.filter(({ reason }) => reason !== 'a_caminho'))
  let lost = 0
  let unrecordedGaps = 0
  let droppedEvents = 0
  for (let k = 1; k <= reached; k++) {
    if (stored.has(k)) continue
    if (confessed.has(k)) droppedEvents++
    else lost++
    if (!recorded.has(k)) unrecordedGaps++
  }
  let highest = 0
  let misordered = 0
  for (const { k, seq } of events) {
    if (k < highest || k !== seq || k > reached) misordered++
    highest = Math.max(highest, k)
  }
  const pictures = (state: StoredEvent['picture']) => events.filter(({ picture }) => picture === state).length
  return {
    produced: reached,
    stored: events.length,
    lost: lost + pictures('missing'),
    duplicated: events.length - stored.size,
    misordered,
    unrecordedGaps,
    droppedEvents,
    droppedPictures: pictures('dropped'),
  }
}

function numbersOf(gaps: readonly StoredGap[]): Set<number> {
  const numbers = new Set<number>()
  for (const { from, to } of gaps) for (let seq = from; seq <= to; seq++) numbers.add(seq)
  return numbers
}

/** Whether no event was lost, duplicated, misordered or unrecorded, and none lost its clip. */
export const isClean = ({ lost, duplicated, misordered, unrecordedGaps, clipsLost }: Verdict): boolean =>
  lost + duplicated + misordered + unrecordedGaps + clipsLost === 0

/**
 * Whether the SSE client got every alert once, and the receiver every notification. A notification may arrive twice:
 * its answer was lost, or its replica ended before it could note the answer.
 */
export const isSeen = (witnessed: WitnessReport | null): boolean =>
  witnessed === null || witnessed.alertsMissed + witnessed.alertsTwice + witnessed.notificationsMissed === 0

/** Returns the line about the SSE client and the receiver. */
export const witnessLine = (of: WitnessReport): string =>
  `alerts_missed=${of.alertsMissed} alerts_twice=${of.alertsTwice} notifications_missed=${of.notificationsMissed} ` +
  `notifications_twice=${of.notificationsTwice} answers_lost=${of.answersLost}`

/** Returns the last line of a run. */
export const summary = (verdict: Verdict, rounds: number, seed: number, drops: DropShares): string =>
  `produced=${verdict.produced} stored=${verdict.stored} lost=${verdict.lost} duplicated=${verdict.duplicated} ` +
  `misordered=${verdict.misordered} unrecorded_gaps=${verdict.unrecordedGaps} evidence=${verdict.evidence} ` +
  `rounds=${rounds} seed=${seed} clips_lost=${verdict.clipsLost} ${dropsText(drops)}`
