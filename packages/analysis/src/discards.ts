import type { NomeIa } from '@vigia/contracts/ias'
import { threshold } from '@vigia/ias/calibration'
import type { Chance } from '@vigia/ias/chance'
import { STAY_BEYOND_MS } from '@vigia/ias/chances'
import { REPORTED_BELOW_CONF } from '@vigia/ias/evidence'
import { type Box, clip } from '@vigia/ias/geometry'
import type { StopReason } from '@vigia/ias/replay/occasion'
import type { Track } from '@vigia/vision/track-state'
import type { Outcome } from './analyses.ts'
import type { FramePictures } from './frame-pictures.ts'
import type { FrameTime, SeenDiscard } from './model.ts'

interface SeenFrame {
  readonly pictures: FramePictures
  readonly time: FrameTime
  readonly tracks: readonly Track[]
}

/** Reports the tracks that raised no event, and how those with an event went on (contracts, extras.ts). */
export interface Discards {
  take(outcomes: readonly Outcome[], seen: SeenFrame): Promise<void>
  /** Delivers the records of tracks that have not ended. */
  finish(): void
}

export interface DiscardsOptions {
  readonly cameraId: number
  trilhaOf(trackId: number): string
  onDiscard(discard: SeenDiscard): void
}

/** Longest time that one record covers; of a stay, beyond the required time. A longer track has no further one. */
const LONGEST_MS = 60_000
/** Largest number of marks; above it, every second one that is no new highest confidence is dropped. */
const MARKS_MAX = 128
/** Records without an event per hour and camera, and as many of short stays, which are frequent. */
const PER_HOUR = 60
const HOUR_MS = 3_600_000
/** Ratio by which the confidence of a picture must exceed that of the kept one. */
const CLEARLY_BETTER = 1.2
/** The stop that is nearest to an event counts. */
const ranks: readonly StopReason[] = ['zona', 'conf', 'duracao', 'agenda', 'resfriamento', 'alertado']

type Mark = SeenDiscard['marcas'][number]

interface Record {
  readonly ia: NomeIa
  readonly calibracao: Outcome['calibracao']
  readonly trackId: number
  readonly visitTrackId: number
  readonly beganAt: FrameTime
  marks: Mark[]
  /** Time of the event after the first mark, in ms; null: none. */
  firedMs: number | null
  stop: StopReason
  best: { readonly confianca: number; readonly rotulo: string; readonly box: Box }
  picture: { readonly jpeg: Buffer; readonly confianca: number } | null
  trail: Track['trail']
  /** Delivered; kept until its track ends, so that the track begins no other record. */
  done: boolean
}

export function createDiscards({ cameraId, trilhaOf, onDiscard }: DiscardsOptions): Discards {
  const records = new Map<string, Record>()
  const budget = createBudget()

  function begin(outcome: Outcome, chance: Chance, track: Track, time: FrameTime): Record {
    return {
      ia: outcome.ia,
      calibracao: outcome.calibracao,
      trackId: track.id,
      visitTrackId: chance.visitTrackId,
      beganAt: time,
      marks: [],
      firedMs: null,
      stop: 'zona',
      best: { confianca: 0, rotulo: track.rotulo, box: track.box },
      picture: null,
      trail: track.trail,
      done: false,
    }
  }

  async function follow(record: Record, chance: Chance, track: Track, { pictures, time }: SeenFrame) {
    const ms = Math.round(time.epochMs) - Math.round(record.beganAt.epochMs)
    record.marks.push([ms, floor(chance.confianca), floor(chance.area), chance.stop === 'zona' ? 1 : 0])
    if (record.marks.length > MARKS_MAX) record.marks = thinned(record.marks, record.firedMs)
    if (chance.stop === null) record.firedMs = ms
    else if (ranks.indexOf(chance.stop) > ranks.indexOf(record.stop)) record.stop = chance.stop
    record.trail = track.trail
    if (chance.confianca <= record.best.confianca) return
    record.best = { confianca: chance.confianca, rotulo: track.rotulo, box: track.box }
    // The event has pictures of its own.
    if (hasEvent(record) || !mayReport(record)) record.picture = null
    else if (chance.confianca >= (record.picture?.confianca ?? 0) * CLEARLY_BETTER)
      record.picture = { jpeg: (await pictures.square(track.box)).jpeg, confianca: chance.confianca }
  }

  function deliver(record: Record, complete: boolean, epochMs: number) {
    record.done = true
    const event = hasEvent(record)
    if (!event && (!mayReport(record) || !budget.take(record, epochMs))) return
    const { ia, calibracao, beganAt, best, firedMs, marks, picture } = record
    const { x, y, w, h } = clip(best.box)
    onDiscard({
      camera_id: cameraId,
      ia,
      ocorrido_em: Math.round(beganAt.epochMs),
      motivo: event ? 'alertado' : record.stop,
      trilha: trilhaOf(record.trackId),
      visita: trilhaOf(record.visitTrackId),
      disparou_ms: firedMs,
      completo: complete,
      confianca: best.confianca,
      caixa: { rotulo: best.rotulo, confianca: best.confianca, x, y, w, h },
      trajeto: record.trail.map((point) => {
        const box = clip(point.box)
        return { ms: Math.round(point.atMs - beganAt.streamMs), x: box.x, y: box.y, w: box.w, h: box.h }
      }),
      marcas: marks,
      calibracao,
      omitidos: budget.omitted(),
      jpeg: event ? null : (picture?.jpeg ?? null),
    })
  }

  return {
    async take(outcomes, seen) {
      const tracks = new Map(seen.tracks.map((track) => [track.id, track]))
      for (const outcome of outcomes)
        for (const chance of outcome.chances) {
          const track = tracks.get(chance.trackId)
          if (!track) continue
          // A track may prove to be another object than the visit that it continued (ias, visits.ts).
          const key = `${outcome.ia} ${chance.trackId} ${chance.passage} ${chance.visitTrackId}`
          const record = records.get(key) ?? begin(outcome, chance, track, seen.time)
          records.set(key, record)
          if (record.done) continue
          await follow(record, chance, track, seen)
        }
      for (const [key, record] of records) {
        const ended = !tracks.has(record.trackId)
        if (ended) records.delete(key)
        if (record.done) continue
        if (ended || seen.time.streamMs - record.beganAt.streamMs >= longestMs(record))
          deliver(record, ended, seen.time.epochMs)
      }
    },
    finish() {
      for (const record of records.values()) if (!record.done) deliver(record, false, record.beganAt.epochMs)
      records.clear()
    },
  }
}

/** Records without an event that may be delivered in an hour. */
function createBudget() {
  let hour = 0
  let used = { short: 0, others: 0 }
  let omitted = 0
  return {
    /** Whether a record fits the budget. It counts as omitted otherwise. */
    take({ stop }: Record, epochMs: number): boolean {
      const now = Math.floor(epochMs / HOUR_MS)
      if (now !== hour) [hour, used] = [now, { short: 0, others: 0 }]
      const kind = stop === 'duracao' ? 'short' : 'others'
      used[kind]++
      if (used[kind] <= PER_HOUR) return true
      omitted++
      return false
    },
    /** Number of records omitted since the last call. */
    omitted(): number {
      const before = omitted
      omitted = 0
      return before
    },
  }
}

const hasEvent = ({ firedMs, trackId, visitTrackId }: Record) => firedMs !== null || visitTrackId !== trackId

const mayReport = ({ ia, calibracao, best }: Record) =>
  best.confianca >= threshold(ia, calibracao, 'conf') - REPORTED_BELOW_CONF

/** The contract allows an hour (ias, chances.ts). */
const longestMs = ({ calibracao }: Record): number =>
  typeof calibracao.permanencia_s === 'number' ? calibracao.permanencia_s * 1000 + STAY_BEYOND_MS : LONGEST_MS

/** Six decimals, rounded down: a comparison with a threshold of six decimals has the same result. */
const floor = (value: number): number => Math.floor(value * 1e6) / 1e6

/** Keeps the first and the fired mark and each new highest confidence, and every second one of the others. */
function thinned(marks: readonly Mark[], firedMs: number | null): Mark[] {
  let highest = 0
  return marks.filter(([ms, confianca], index) => {
    const isHigher = confianca > highest
    highest = Math.max(highest, confianca)
    return isHigher || ms === firedMs || index % 2 === 0
  })
}
