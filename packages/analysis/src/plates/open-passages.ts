import { IA_PLACA } from '@vigia/contracts/plates-ia'
import { isArmed } from '@vigia/ias/agenda'
import { type Box, footOf, type Point, pointInPolygon, polygons } from '@vigia/ias/geometry'
import type { AnalysisSettings } from '../analyses.ts'
import type { FrameTime } from '../model.ts'
import { createEndedPassages, SPLIT_MS } from './ended-passages.ts'
import { createPassage, type Passage } from './passage.ts'
import type { SeenPassage } from './passage-model.ts'
import { isOtherVehicle } from './plate-distance.ts'
import type { PlateFound } from './read-plates.ts'
import type { VehicleDetection } from './vehicle-detection.ts'

/** The passages in front of a camera, by the tracks of their vehicles. */
export interface OpenPassages {
  /** Sets the line and the region. If they are others, all passages end, and this returns true. */
  configure(settings: AnalysisSettings): boolean
  /** Whether plates are read at `epochMs`: switched on, and within their hours. */
  isOn(epochMs: number): boolean
  of(trackId: number): Passage | undefined
  /** Begins a passage of a track; null: outside of the region. */
  begin(detection: VehicleDetection, time: FrameTime, trackId: number): Passage | null
  /** The track shows the vehicle of this passage. */
  follow(trackId: number, passage: Passage): void
  /** A passage that was seen a moment ago around this point, of the same plate. */
  around(point: Point, time: FrameTime, found: PlateFound): Passage | undefined
  /** Whether this plate belongs to another vehicle, which follows close behind that of the passage. */
  isOther(passage: Passage, found: PlateFound): boolean
  /** Begins a passage of a vehicle that was taken for that of another passage. */
  separate(passage: Passage, vehicle: VehicleDetection, time: FrameTime): Passage
  /** Joins a passage with another one of the same plate, and reports the one that continues. */
  joined(passage: Passage, time: FrameTime): void
  /** Ends the passages of all other tracks. */
  keep(trackIds: ReadonlySet<number>, streamMs: number): void
  /** Ends all passages. */
  finish(): void
}

interface OpenPassagesOptions {
  readonly cameraId: number
  readonly settings: AnalysisSettings
  onPassage(passage: SeenPassage): void
  /** Name of a track in records, unique per camera and process start. */
  trilhaOf(trackId: number): string
}

/** Registry name of the reader. */
const MODELO = 'pp-ocrv4'
/** Time without a detection, with motion since, after which a plate without a vehicle has left. */
export const LOST_MS = 1_500

export function createOpenPassages(options: OpenPassagesOptions): OpenPassages {
  const { cameraId, onPassage, trilhaOf } = options
  let settings = settingsOf(options.settings)
  let isArmedAt = hoursOf(options.settings)
  let regions = polygons(settings?.regiao ?? [])
  const passages = new Map<number, Passage>()
  const ended = createEndedPassages({ open: () => passages.values(), report })

  const isInside = (box: Box) => regions.length === 0 || regions.some((one) => pointInPolygon(footOf(box), one))

  function report(passage: Passage, end: boolean) {
    const seen = passage.report(end)
    if (seen) onPassage(seen)
  }

  function begin(detection: VehicleDetection, time: FrameTime, id: number): Passage | null {
    if (!settings || !isInside(detection.box)) return null
    const { linha, confPlaca } = settings
    return createPassage({ cameraId, linha, confPlaca, modelo: MODELO }, detection, time, trilhaOf(id))
  }

  const isOther = (passage: Passage, found: PlateFound) =>
    settings !== undefined && isOtherVehicle(passage, found, settings.confPlaca)

  function follow(trackId: number, passage: Passage) {
    passage.tracks.add(trackId)
    passages.set(trackId, passage)
  }

  /** Ends the passage when this was its last track. */
  function leave(passage: Passage, id: number) {
    passage.tracks.delete(id)
    if (passage.tracks.size > 0) return
    ended.add(passage)
  }

  /** Joins a passage with another one of the same plate. Returns the one that continues. */
  function join(passage: Passage, { streamMs }: FrameTime): Passage {
    const placa = passage.placa()
    if (placa === null || passage.reported) return passage
    const isSame = (other: Passage) => other !== passage && continues(other, placa, streamMs)
    const earlier = [...passages.values()].find(isSame) ?? ended.find(isSame)
    if (!earlier) return passage
    earlier.absorb(passage)
    for (const track of passage.tracks) passages.set(track, earlier)
    ended.remove(earlier)
    return earlier
  }

  function finish() {
    ended.finish()
    passages.clear()
  }

  return {
    configure(all) {
      isArmedAt = hoursOf(all)
      const next = settingsOf(all)
      if (JSON.stringify(next) === JSON.stringify(settings)) return false
      finish()
      settings = next
      regions = polygons(next?.regiao ?? [])
      return true
    },
    isOn: (epochMs) => settings !== undefined && isArmedAt(epochMs),
    of: (trackId) => passages.get(trackId),
    begin,
    follow,
    around: (point, { streamMs }, found) =>
      [...passages.values()].find((one) => isAround(one, point, streamMs) && !isOther(one, found)),
    isOther,
    separate(passage, vehicle, time) {
      const { trackId } = vehicle
      const next = trackId === undefined ? null : begin(vehicle, time, trackId)
      if (trackId === undefined || !next) return passage
      follow(trackId, next)
      leave(passage, trackId)
      next.see(vehicle, time)
      return next
    },
    joined: (passage, time) => report(join(passage, time), false),
    keep(trackIds, streamMs) {
      for (const [id, passage] of passages) {
        if (trackIds.has(id)) continue
        passages.delete(id)
        leave(passage, id)
      }
      ended.settle(streamMs)
    },
    finish,
  }
}

/** The hours of the IA of plates. Other hours end no passage by themselves. */
function hoursOf({ analises, fusoHorario, feriados }: AnalysisSettings): (epochMs: number) => boolean {
  const agenda = analises.find(({ ia }) => ia === IA_PLACA)?.agenda ?? null
  return (epochMs) => isArmed(agenda, fusoHorario, epochMs, feriados)
}

const settingsOf = ({ modoB, linha }: AnalysisSettings) => modoB && { ...modoB, linha }

/** Whether a passage was seen a moment ago around this point. */
function isAround({ lastBox: box, lastMs }: Passage, { x, y }: Point, streamMs: number): boolean {
  const isInBox = x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h
  return streamMs - lastMs <= LOST_MS && isInBox
}

/** Whether a passage goes on with a vehicle of this plate: it is not over, or the tracker lost it. */
function continues(passage: Passage, placa: string, streamMs: number): boolean {
  if (passage.placa() !== placa) return false
  if (passage.tracks.size > 0) return true
  return passage.direcao === null ? true : streamMs - passage.lastMs <= SPLIT_MS
}
