import { randomUUID } from 'node:crypto'
import type { Caixa } from '@vigia/contracts/eventos'
import { MAX_CANDIDATAS, type QualidadePlaca, type RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { tiposVeiculo } from '@vigia/contracts/veiculos'
import { areaOf, type Box, type Linha, lineEnds } from '@vigia/ias/geometry'
import { createLineCrossing, type Direction } from '@vigia/ias/line-crossing'
import type { FrameTime } from '../model.ts'
import { voteColour } from './colour-vote.ts'
import type { SeenColour } from './paint-colour.ts'
import type { PassageMedia, SeenPassage } from './passage-model.ts'
import type { PlateReading } from './plate-syntax.ts'
import { createPlateVote, type VotedPlate } from './plate-vote.ts'

export type TipoVeiculo = (typeof tiposVeiculo)[number]
export const isVehicle = (rotulo: string): rotulo is TipoVeiculo => tiposVeiculo.some((tipo) => tipo === rotulo)

/** One detection of the vehicle. */
export interface VehicleSight {
  /** null: only the plate is seen; `box` is the surroundings of the plate. */
  readonly rotulo: TipoVeiculo | null
  readonly confianca: number
  readonly box: Box
  /** The plate alone, where no vehicle is detected: the frame may cut its surroundings off. */
  readonly plateBox?: Box
  /** Of a detected vehicle. */
  readonly trackId?: number
}

interface FrameReadings {
  readonly readings: readonly PlateReading[]
  /** Height of the text, in pixels of the frame. */
  readonly heightPx: number
}

/** The readings of one frame and its pictures. */
export interface PlateSight extends FrameReadings {
  readonly epochMs: number
  readonly vehicle: VehicleSight
  /** In fractions of the picture `veiculo`; null: no plate found. */
  readonly plate: Caixa | null
  /** null: no plate found. */
  readonly qualidade: QualidadePlaca | null
  /** Of the vehicle; null or missing: not certain in this frame. */
  readonly colour?: SeenColour | null
  media(): Promise<readonly PassageMedia[]>
}

interface Best {
  readonly epochMs: number
  readonly vehicle: VehicleSight
  readonly plate: Caixa | null
  readonly qualidade: QualidadePlaca | null
  readonly media: readonly PassageMedia[]
  readonly quality: number
}

interface Sent {
  readonly revisao: number
  readonly placa: string | null
  readonly direcao: Direction | null
  readonly best: Best
}

export interface Passage {
  readonly id: string
  /** Tracks that show this vehicle now. */
  readonly tracks: Set<number>
  /** Best text so far, whatever its chance; null: none. */
  text(): string | null
  /** Text that the vote holds above the threshold; null: none. */
  placa(): string | null
  /** Whether further frames hardly change the vote. */
  settled(): boolean
  readonly direcao: Direction | null
  readonly moved: boolean
  /** Whether a revision was reported. */
  readonly reported: boolean
  readonly lastMs: number
  readonly lastBox: Box
  readonly reads: number
  /** Stream time of the last reading, and the width of the vehicle then, as a fraction of the frame. */
  readonly lastRead: { readonly streamMs: number; readonly w: number }
  /** Whether the vehicle has jumped against its movement since the last reading: it may be another one. */
  readonly jumped: boolean
  see(sight: VehicleSight, time: FrameTime): void
  read(sight: PlateSight, streamMs: number): Promise<void>
  /** Takes over the sightings and readings of a passage that shows the same vehicle. */
  absorb(other: Passage): void
  readonly parts: PassageParts
  /** The next revision, if there is news; `end`: the vehicle left. Null: none. */
  report(end: boolean): SeenPassage | null
}

/** The state that a merge takes over. */
interface PassageParts {
  readonly begunEpochMs: number
  readonly readings: readonly FrameReadings[]
  readonly colours: readonly SeenColour[]
  readonly best: Best | null
}

export interface PassageSettings {
  readonly cameraId: number
  readonly linha: Linha
  /** A vote below it is a candidate. */
  readonly confPlaca: number
  readonly modelo: string
}

/** Chance and number of frames from which further frames hardly change the vote. */
const SETTLED = { chance: 0.97, frames: 3 } as const
/** Time after the first readable frame at which the best text counts, also if frames disagree. */
const DECIDE_MS = 800
/** Consecutive frames with the same best text that decide. */
const AGREEING = 2
/** Movement that makes a passage: of the middle in widths of the vehicle, or of the area as a factor. */
const MOVED = { widths: 0.3, area: 1.3 } as const
/** The same of a plate, in its own widths. */
const PLATE_MOVED = 0.32
/** Jump of a track from one vehicle to another, in widths. */
const JUMP = 0.3
/** Shortest passage without a plate, or fewest readings of one: a flicker of the detector is none. */
const SHORTEST_MS = 1_000
const FEWEST_READINGS = 2
const CANDIDATE_MIN = 0.02

/** One vehicle in front of the camera, from its first to its last frame. */
export function createPassage(
  { cameraId, linha, confPlaca, modelo }: PassageSettings,
  first: VehicleSight,
  time: FrameTime,
  trilha: string,
): Passage {
  const ends = lineEnds(linha)
  /** Of the vehicle, and of its plate: their boxes have different ground points. */
  const crossings = new Map([true, false].map((isVehicleBox) => [isVehicleBox, ends && createLineCrossing(ends)]))
  const id = randomUUID()
  const tracks = new Set<number>()
  const begunMs = time.streamMs
  let begunEpochMs = time.epochMs
  let [lastMs, lastEpochMs] = [time.streamMs, time.epochMs]
  let direcao: Direction | null = null
  let moved = false
  let frames: FrameReadings[] = []
  let colours: SeenColour[] = []
  let vote: VotedPlate | null = null
  let agreeing = 0
  let readableMs: number | null = null
  let reads = 0
  let lastRead = { streamMs: Number.NEGATIVE_INFINITY, w: 0 }
  let jumped = false
  /** Movement of the middle of the vehicle in the last frame, as a fraction of the frame. */
  let step = { x: 0, y: 0 }
  let best: Best | null = null
  let sent: Sent | null = null
  /** The most certain detection of the vehicle; null: only its plate was seen. */
  let surest = first.rotulo === null ? null : first
  /** First boxes of the vehicle, and of its plate. */
  const firstBoxes = new Map<boolean, Box>()
  let lastBox = first.box

  const isSure = (): boolean => (vote?.chance ?? 0) >= confPlaca
  const settled = (): boolean => (vote?.chance ?? 0) >= SETTLED.chance && (vote?.frames ?? 0) >= SETTLED.frames
  const isDecided = (): boolean =>
    isSure() && (settled() || agreeing >= AGREEING || (readableMs !== null && lastMs - readableMs >= DECIDE_MS))

  function count() {
    const votes = createPlateVote()
    for (const { readings, heightPx } of frames) votes.add(readings, heightPx)
    const next = votes.result()
    agreeing = next && next.placa === vote?.placa ? agreeing + 1 : 1
    vote = next
  }

  function record(placa: RegistroPassagem['placa'], shown: Best, end: boolean): SeenPassage {
    const readings = vote === null ? [] : [vote, ...vote.candidates]
    const others = readings.filter((one) => one.placa !== placa?.placa && one.chance >= CANDIDATE_MIN)
    const fresh = shown !== sent?.best
    return {
      camera_id: cameraId,
      passagem: id,
      revisao: (sent?.revisao ?? 0) + 1,
      inicio: Math.round(begunEpochMs),
      ocorrido_em: Math.round(shown.epochMs),
      fim: end ? Math.round(lastEpochMs) : null,
      veiculo: surest?.rotulo ?? null,
      cor: voteColour(colours),
      confianca: surest?.confianca ?? shown.vehicle.confianca,
      trilha,
      direcao,
      placa,
      quadros: vote?.frames ?? 0,
      candidatas: others.slice(0, MAX_CANDIDATAS).map(readingOf),
      conf_placa: confPlaca,
      caixa: { rotulo: shown.vehicle.rotulo ?? 'placa', confianca: shown.vehicle.confianca, ...shown.vehicle.box },
      caixa_placa: shown.plate,
      qualidade: shown.qualidade,
      modelo,
      media: fresh ? shown.media : [],
    }
  }

  return {
    id,
    tracks,
    settled,
    text: () => vote?.placa ?? null,
    placa: () => (vote !== null && isDecided() ? vote.placa : null),
    get direcao() {
      return direcao
    },
    get moved() {
      return moved
    },
    get reported() {
      return sent !== null
    },
    get lastMs() {
      return lastMs
    },
    get lastBox() {
      return lastBox
    },
    get reads() {
      return reads
    },
    get jumped() {
      return jumped
    },
    get lastRead() {
      return lastRead
    },
    get parts() {
      return { begunEpochMs, readings: frames, colours, best }
    },
    see(sight, { streamMs, epochMs }) {
      lastMs = streamMs
      lastEpochMs = epochMs
      const next = between(lastBox, sight.box)
      jumped ||= next.x * step.x + next.y * step.y < 0 && Math.hypot(next.x, next.y) >= JUMP * sight.box.w
      step = next
      lastBox = sight.box
      if (sight.rotulo !== null && sight.confianca > (surest?.confianca ?? 0)) surest = sight
      const isVehicleBox = sight.rotulo !== null
      const shown = sight.plateBox ?? sight.box
      const firstBox = firstBoxes.get(isVehicleBox) ?? shown
      firstBoxes.set(isVehicleBox, firstBox)
      direcao = crossings.get(isVehicleBox)?.follow(shown, streamMs) ?? direcao
      moved ||= direcao !== null || hasMoved(firstBox, shown, isVehicleBox ? MOVED.widths : PLATE_MOVED)
    },
    async read(sight, streamMs) {
      reads++
      lastRead = { streamMs, w: sight.vehicle.box.w }
      jumped = false
      if (sight.colour) colours.push(sight.colour)
      const [found] = sight.readings
      if (found) {
        // Not the sight: it holds the frame.
        frames.push({ readings: sight.readings, heightPx: sight.heightPx })
        if (found.chance >= confPlaca) readableMs ??= streamMs
        count()
      }
      const quality = found ? 1 + sight.heightPx * found.chance : areaOf(sight.vehicle.box)
      if (best && quality <= best.quality * 1.1) return
      const { epochMs, vehicle, plate, qualidade } = sight
      best = { epochMs, vehicle, plate, qualidade, quality, media: await sight.media() }
    },
    absorb(other) {
      begunEpochMs = Math.min(begunEpochMs, other.parts.begunEpochMs)
      for (const track of other.tracks) tracks.add(track)
      lastMs = Math.max(lastMs, other.lastMs)
      frames = [...frames, ...other.parts.readings]
      colours = [...colours, ...other.parts.colours]
      moved ||= other.moved
      direcao ??= other.direcao
      if (other.parts.best && other.parts.best.quality > (best?.quality ?? 0)) best = other.parts.best
      count()
    },
    report(end) {
      const placa = vote !== null && isDecided() ? readingOf(vote) : null
      if (!moved || best === null) return null
      const isNews = sent === null ? placa !== null : placa?.placa !== sent.placa || direcao !== sent.direcao
      const isSeen = lastMs - begunMs >= SHORTEST_MS || frames.length >= FEWEST_READINGS
      const isPassage = sent !== null || placa !== null || isSeen
      if (end ? !isPassage : !isNews) return null
      const seen = record(placa, best, end)
      sent = { revisao: seen.revisao, placa: placa?.placa ?? null, direcao, best }
      return seen
    },
  }
}

const readingOf = ({ placa, syntax, chance }: PlateReading): NonNullable<RegistroPassagem['placa']> => ({
  placa,
  pais: syntax.pais,
  forma: syntax.forma,
  confianca: Math.min(1, chance),
})

/** Movement of the middle of a box. */
const between = (a: Box, b: Box) => ({ x: b.x + b.w / 2 - a.x - a.w / 2, y: b.y + b.h / 2 - a.y - a.h / 2 })

function hasMoved(first: Box, now: Box, widths: number): boolean {
  const { x, y } = between(first, now)
  const factor = areaOf(now) / Math.max(1e-6, areaOf(first))
  return Math.hypot(x, y) > widths * first.w || factor > MOVED.area || factor < 1 / MOVED.area
}
