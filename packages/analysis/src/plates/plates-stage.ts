import type { Caixa } from '@vigia/contracts/eventos'
import type { QualidadePlaca } from '@vigia/contracts/registro-passagem'
import { areaOf, type Box, clip, footOf, type Point, pointInPolygon, polygons } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/frame'
import type { Track } from '@vigia/vision/track-state'
import type { AnalysisSettings } from '../analyses.ts'
import type { FrameTime } from '../model.ts'
import type { SeenColour } from './paint-colour.ts'
import { createPassage, isVehicle, type Passage, type PlateSight, type VehicleSight } from './passage.ts'
import type { PlateReader, SeenPassage } from './passage-model.ts'
import { qualityOf } from './plate-quality.ts'
import { boxOf, inside, pictured, within } from './plate-regions.ts'
import type { PlateFound } from './read-plates.ts'
import { colourOf } from './vehicle-colour.ts'

/** Follows vehicles, reads their plates and reports passages. */
export interface PlatesStage {
  /** Without `modoB` open passages end. */
  configure(settings: AnalysisSettings): void
  isOn(): boolean
  /**
   * Takes the tracks of a frame.
   * @param moved fraction of the frame that moves, 0–1; null: the frame was not inferred and has nothing to read
   */
  take(frame: VideoFrame, tracks: readonly Track[], time: FrameTime, moved: number | null): Promise<void>
  /** Ends all passages. */
  finish(): void
}

interface Reading {
  readonly passage: Passage
  readonly vehicle: VehicleSight
  readonly time: FrameTime
  /** Part of the frame that the picture of the vehicle shows. */
  readonly region: Box
  readonly colour?: SeenColour | null
}

export interface PlatesStageOptions {
  readonly cameraId: number
  readonly settings: AnalysisSettings
  readonly read: PlateReader
  onPassage(passage: SeenPassage): void
  /** Name of a track in records, unique per camera and process start. */
  trilhaOf(trackId: number): string
}

/** Registry name of the reader. */
const MODELO = 'pp-ocrv4'
/** Narrowest vehicle with a readable plate, in pixels: a plate is about a quarter of the width of a car. */
const VEHICLE_MIN_PX = 80
/** Time between two readings of a passage while the vote is open, in ms: every analysed frame. */
const READ_EVERY_MS = 190
/** Time between two searches of the whole frame beside unread vehicles, or of settled plates, in ms. */
const SEARCH_EVERY_MS = 390
/** A vehicle that fills the frame moves at least this fraction of it. Its plate is searched until SEARCH_MS later. */
const LARGE_MOTION = 0.04
const SEARCH_MS = 2_000
/** Area of a vehicle, as a fraction of the frame, beside which no larger one is searched. */
const LARGE_AREA = 0.25
/** Growth of the vehicle from which a settled passage is read again. */
const GROWN = 1.25
/** Readings of a vehicle that has not moved yet: it may be parked. */
const PARKED_READS = 2
const READS_MAX = 40
/** Time since the last reading from which only the width of a vehicle decides the order, in ms. */
const WAIT_MAX_MS = 600
const [SIDE_MIN, SIDE_MAX] = [320, 960]
const VEHICLE_JPEG = { maxWidth: 800, quality: 85 }
const PLATE_JPEG = { maxWidth: 400, quality: 90 }
/** Time in which a vehicle with the same plate is the same passage, unless it has crossed the line. */
const SAME_MS = 60_000
/** The same after a crossing: the tracker lost it. */
const SPLIT_MS = 5_000
/** Time without a sighting, with motion since, after which a plate without a vehicle has left. */
const LOST_MS = 1_500
/** Narrowest text that the search of the whole frame follows, in pixels of the searched picture. */
const PLATE_MIN_PX = 40
/** Distance between two sightings of one plate, in widths of the plate. */
const NEAR_WIDTHS = 1.5
/** Symbols that two readings of one vehicle may differ in. */
const SIMILAR = 2
/** Differing symbols from which a reading of this chance is another vehicle. Blur does not change that many. */
const [FAR, FAR_CHANCE] = [4, 0.5]

export function createPlatesStage({ cameraId, read, onPassage, trilhaOf, ...rest }: PlatesStageOptions): PlatesStage {
  let settings = settingsOf(rest.settings)
  let regions = polygons(settings?.regiao ?? [])
  const passages = new Map<number, Passage>()
  /** Passages that ended less than SAME_MS ago. */
  let ended: Passage[] = []
  /** Ended passages that need no report any more. */
  const done = new WeakSet<Passage>()
  /** Plates outside of every vehicle, by their own track ids, which are negative. */
  const plates = new Map<number, { readonly passage: Passage; readonly centre: Point; readonly seenMs: number }>()
  let plateIds = 0
  let searchedMs = Number.NEGATIVE_INFINITY
  /** Stream time of the last motion, and of the last large motion. */
  let movedMs = Number.NEGATIVE_INFINITY
  let largeMs = Number.NEGATIVE_INFINITY

  const isInside = (box: Box) => regions.length === 0 || regions.some((one) => pointInPolygon(footOf(box), one))

  function report(passage: Passage, end: boolean) {
    const seen = passage.report(end)
    if (seen) onPassage(seen)
  }

  function begin(sight: VehicleSight, time: FrameTime, id: number): Passage | null {
    if (!settings || !isInside(sight.box)) return null
    const { linha, confPlaca } = settings
    return createPassage({ cameraId, linha, confPlaca, modelo: MODELO }, sight, time, trilhaOf(id))
  }

  /** A passage that was seen a moment ago around this point, of the same plate. */
  const around = ({ x, y }: Point, { streamMs }: FrameTime, found: PlateFound): Passage | undefined =>
    [...passages.values()].find((passage) => {
      const { lastBox: box, lastMs } = passage
      const isRecent = streamMs - lastMs <= LOST_MS
      const isInBox = x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h
      return isRecent && isInBox && !isOther(passage, found)
    })

  /** Whether this plate belongs to another vehicle, which follows close behind that of the passage. */
  function isOther(passage: Passage, { placa, chance }: PlateFound): boolean {
    const decided = passage.placa()
    if (decided === null || !settings) return false
    const differing = distance(decided, placa)
    return (
      differing > SIMILAR &&
      chance >= (differing >= FAR ? Math.min(FAR_CHANCE, settings.confPlaca) : settings.confPlaca)
    )
  }

  function follow(tracks: readonly Track[], time: FrameTime): Map<Passage, VehicleSight> {
    const seen = new Map<Passage, VehicleSight>()
    for (const { id, rotulo, confianca, box, predicted } of tracks) {
      if (predicted || !isVehicle(rotulo) || !settings) continue
      const sight = { rotulo, confianca, box: clip(box), trackId: id }
      const passage = passages.get(id) ?? ofPlate(sight.box, time) ?? begin(sight, time, id)
      if (!passage) continue
      passage.tracks.add(id)
      passages.set(id, passage)
      // Of two tracks of one vehicle the first is followed.
      if (seen.has(passage)) continue
      passage.see(sight, time)
      seen.set(passage, sight)
    }
    return seen
  }

  /** The passage of a plate inside this box, whose vehicle was not detected before. */
  const ofPlate = (box: Box, { streamMs }: FrameTime): Passage | undefined =>
    [...plates.values()].find(({ passage, centre, seenMs }) => {
      const isRecent = streamMs - seenMs <= LOST_MS && ![...passage.tracks].some((id) => id >= 0)
      return (
        isRecent && centre.x >= box.x && centre.x <= box.x + box.w && centre.y >= box.y && centre.y <= box.y + box.h
      )
    })?.passage

  function endGone(tracks: readonly Track[], { streamMs }: FrameTime) {
    const alive = new Set(tracks.map(({ id }) => id))
    for (const [id, { seenMs }] of plates) {
      // A vehicle that waits does not move: it is there until something moves.
      if (streamMs - seenMs <= LOST_MS || movedMs <= seenMs) alive.add(id)
      else plates.delete(id)
    }
    for (const [id, passage] of passages) {
      if (alive.has(id)) continue
      passages.delete(id)
      leave(passage, id)
    }
    settle(streamMs)
  }

  /** Ends the passage when this was its last track. */
  function leave(passage: Passage, id: number) {
    passage.tracks.delete(id)
    if (passage.tracks.size > 0) return
    // A passage without a plate may be a part of another one, which is decided soon.
    if (passage.reported || passage.placa() !== null || passage.text() === null) {
      report(passage, true)
      if (!passage.reported) done.add(passage)
    }
    ended.push(passage)
  }

  /** Begins a passage of a vehicle that was taken for that of another passage. */
  function separate(passage: Passage, vehicle: VehicleSight, time: FrameTime): Passage {
    const { trackId } = vehicle
    const next = trackId === undefined ? null : begin(vehicle, time, trackId)
    if (trackId === undefined || !next) return passage
    next.tracks.add(trackId)
    passages.set(trackId, next)
    leave(passage, trackId)
    next.see(vehicle, time)
    return next
  }

  /** Reports ended passages without a plate that no other passage took over. */
  function settle(streamMs: number) {
    for (const passage of ended) {
      if (passage.reported || streamMs - passage.lastMs < SPLIT_MS) continue
      if (!isPartOfOther(passage)) report(passage, true)
      done.add(passage)
    }
    ended = ended.filter((passage) => streamMs - passage.lastMs <= SAME_MS && !done.has(passage))
  }

  /** Whether a passage without a plate shows a vehicle that another passage has read, too. */
  function isPartOfOther(passage: Passage): boolean {
    const text = passage.text()
    if (text === null) return false
    return [...passages.values(), ...ended].some((other) => {
      if (other === passage) return false
      // Of two passages without a plate the later one is reported.
      const isLater = other.moved && other.lastMs > passage.lastMs
      const placa = other.placa() ?? (isLater ? other.text() : null)
      const isNear = Math.abs(other.lastMs - passage.lastMs) <= 2 * SPLIT_MS
      return placa !== null && isNear && distance(placa, text) <= SIMILAR
    })
  }

  /** The passage whose reading helps most: a wide vehicle is read more often than a narrow one in the background. */
  function nextToRead(seen: ReadonlyMap<Passage, VehicleSight>, frame: VideoFrame, { streamMs }: FrameTime) {
    const due = [...seen].filter(([passage, { box }]) => {
      if (box.w * frame.width < VEHICLE_MIN_PX || passage.reads >= READS_MAX) return false
      if (!passage.moved && passage.reads >= PARKED_READS) return false
      if (passage.settled()) return passage.jumped || box.w >= GROWN * passage.lastRead.w
      return streamMs - passage.lastRead.streamMs >= READ_EVERY_MS
    })
    const gain = ([passage, { box }]: readonly [Passage, VehicleSight]) =>
      box.w * Math.min(WAIT_MAX_MS, streamMs - passage.lastRead.streamMs)
    return due.sort((a, b) => gain(b) - gain(a))[0] ?? null
  }

  /** Joins a passage with another one of the same plate. Returns the one that continues. */
  function join(passage: Passage, { streamMs }: FrameTime): Passage {
    const placa = passage.placa()
    if (placa === null || passage.reported) return passage
    const isSame = (other: Passage) => {
      if (other === passage || other.placa() !== placa) return false
      if (other.tracks.size > 0) return true
      return other.direcao === null ? true : streamMs - other.lastMs <= SPLIT_MS
    }
    const earlier = [...passages.values(), ...ended].find(isSame)
    if (!earlier) return passage
    earlier.absorb(passage)
    for (const track of passage.tracks) passages.set(track, earlier)
    ended = ended.filter((other) => other !== earlier)
    return earlier
  }

  async function readVehicle(frame: VideoFrame, passage: Passage, vehicle: VehicleSight, time: FrameTime) {
    const region = pictured(vehicle.box, frame)
    const [width, height] = [Math.round(region.w * frame.width), Math.round(region.h * frame.height)]
    const picture = { width, height, data: await frame.toPacked('rgb', width, height, region) }
    const side = Math.min(SIDE_MAX, Math.max(SIDE_MIN, width, height))
    const all = await read(picture, side)
    // The picture may show the plate of a car behind, too.
    const found = all.find((one) => !isOther(passage, one)) ?? all[0]
    const shown = found && isOther(passage, found) ? separate(passage, vehicle, time) : passage
    const plate = found && boxOf(found, picture)
    const inFrame = plate && { ...plate, ...within(region, plate) }
    const plateRead = found && inFrame ? { found, plate: inFrame, qualidade: qualityOf(picture, found.box, 1) } : null
    // The box of a motorcycle shows its rider.
    const isPainted = vehicle.rotulo !== 'motorcycle'
    const colour = isPainted ? colourOf(picture, inside(region, vehicle.box), plate ?? null) : null
    await add(frame, { passage: shown, vehicle, time, region, colour }, plateRead)
  }

  /** Adds a reading to a passage. `plate`: in fractions of the frame. */
  async function add(
    frame: VideoFrame,
    { passage, vehicle, time, region, colour = null }: Reading,
    read: { readonly found: PlateFound; readonly plate: Caixa; readonly qualidade: QualidadePlaca } | null,
  ) {
    const sight: PlateSight = {
      readings: read ? [read.found, ...read.found.candidates] : [],
      heightPx: read?.found.box.height ?? 0,
      ...{ epochMs: time.epochMs, vehicle, colour },
      qualidade: read?.qualidade ?? null,
      plate: read && { ...read.plate, ...inside(region, read.plate) },
      media: async () => [
        { papel: 'veiculo', bytes: await frame.toJpeg({ crop: region, ...VEHICLE_JPEG }) },
        ...(read ? [{ papel: 'placa' as const, bytes: await frame.toJpeg({ crop: read.plate, ...PLATE_JPEG }) }] : []),
      ],
    }
    await passage.read(sight, time.streamMs)
  }

  /** Whether a large vehicle may be there that the detector did not find, or whose plate is not in its box. */
  function mustSearch(seen: ReadonlyMap<Passage, VehicleSight>, frame: VideoFrame, streamMs: number): boolean {
    if (streamMs - largeMs > SEARCH_MS) return false
    const isRead = ([passage, { box }]: readonly [Passage, VehicleSight]) =>
      passage.text() !== null && (passage.moved || areaOf(box) >= LARGE_AREA)
    if ([...seen].some(isRead)) return false
    const isSettled = plates.size > 0 && [...plates.values()].every(({ passage }) => passage.settled())
    const everyMs = isSettled || hasVehicle(seen, frame) ? SEARCH_EVERY_MS : READ_EVERY_MS
    return streamMs - searchedMs >= everyMs
  }

  /** Searches the whole frame: a vehicle that fills it is often not detected. */
  async function search(frame: VideoFrame, time: FrameTime) {
    searchedMs = time.streamMs
    const scale = Math.min(1, SIDE_MAX / Math.max(frame.width, frame.height))
    const [width, height] = [Math.round(frame.width * scale), Math.round(frame.height * scale)]
    const picture = { width, height, data: await frame.toPacked('rgb', width, height) }
    for (const found of await read(picture, Math.max(width, height))) {
      if (found.box.width < PLATE_MIN_PX) continue
      const { x, y, w, h } = boxOf(found, picture)
      const centre = { x: x + w / 2, y: y + h / 2 }
      const box = clip({ x: x - 1.5 * w, y: y - 6 * h, w: 4 * w, h: 9 * h })
      const sight: VehicleSight = { rotulo: null, confianca: Math.min(1, found.chance), box, plateBox: { x, y, w, h } }
      const known = [...plates].find(
        ([, { centre: seen, passage }]) => isNear(seen, centre, w) && !isOther(passage, found),
      )
      const id = known?.[0] ?? --plateIds
      const passage = known?.[1].passage ?? around(centre, time, found) ?? begin(sight, time, id)
      if (!passage) continue
      passage.tracks.add(id)
      passages.set(id, passage)
      plates.set(id, { passage, centre, seenMs: time.streamMs })
      passage.see(sight, time)
      const plate = { rotulo: 'placa', confianca: sight.confianca, x, y, w, h }
      await add(
        frame,
        { passage, vehicle: sight, time, region: box },
        { found, plate, qualidade: qualityOf(picture, found.box, scale) },
      )
      report(join(passage, time), false)
    }
  }

  const finish = () => {
    for (const passage of new Set([...passages.values(), ...ended])) {
      if (done.has(passage) || (ended.includes(passage) && passage.reported)) continue
      if (passage.placa() !== null || passage.reported || !isPartOfOther(passage)) report(passage, true)
    }
    passages.clear()
    plates.clear()
    ended = []
  }

  return {
    configure(all) {
      const next = settingsOf(all)
      if (JSON.stringify(next) === JSON.stringify(settings)) return
      finish()
      settings = next
      regions = polygons(next?.regiao ?? [])
    },
    isOn: () => settings !== undefined,
    async take(frame, tracks, time, moved) {
      if (!settings) return
      if (moved !== null && moved > 0) movedMs = time.streamMs
      if (moved !== null && moved >= LARGE_MOTION) largeMs = time.streamMs
      const seen = follow(tracks, time)
      const next = moved === null ? null : nextToRead(seen, frame, time)
      if (moved !== null && mustSearch(seen, frame, time.streamMs)) await search(frame, time)
      else if (next) await readVehicle(frame, ...next, time)
      for (const passage of seen.keys()) report(join(passage, time), false)
      endGone(tracks, time)
    },
    finish,
  }
}

const settingsOf = ({ modoB, linha }: AnalysisSettings) => modoB && { ...modoB, linha }

/** Whether a vehicle is large enough to be read by itself. */
const hasVehicle = (seen: ReadonlyMap<Passage, VehicleSight>, frame: VideoFrame): boolean =>
  [...seen.values()].some(({ box }) => box.w * frame.width >= VEHICLE_MIN_PX)

const isNear = (a: Point, b: Point, w: number): boolean => Math.hypot(a.x - b.x, a.y - b.y) <= NEAR_WIDTHS * w

/** Symbols that differ; texts of different length differ entirely. */
const distance = (a: string, b: string): number =>
  a.length === b.length ? [...a].filter((symbol, at) => symbol !== b[at]).length : a.length
