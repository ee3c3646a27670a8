import { randomUUID } from 'node:crypto'
import type { Caixa } from '@vigia/contracts/eventos'
import { MAX_CANDIDATAS, type QualidadePlaca, type RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { tiposVeiculo } from '@vigia/contracts/veiculos'
import { areaOf, type Box, type Linha } from '@vigia/ias/geometry'
import type { Direction } from '@vigia/ias/line-crossing'
import type { FrameTime } from '../model.ts'
import { voteColour } from './colour-vote.ts'
import type { SeenColour } from './paint-colour.ts'
import type { PassageMedia, SeenPassage } from './passage-model.ts'
import { createPassageVote, type FrameReadings } from './passage-vote.ts'
import type { PlateReading } from './plate-syntax.ts'
import type { VotedPlate } from './plate-vote.ts'
import type { TipoVeiculo, VehicleDetection } from './vehicle-detection.ts'
import { createVehicleMotion } from './vehicle-motion.ts'

export const isVehicle = (rotulo: string): rotulo is TipoVeiculo => tiposVeiculo.some((tipo) => tipo === rotulo)

/** The readings of one frame and its pictures. */
export interface PlateEvidence extends FrameReadings {
  readonly epochMs: number
  readonly vehicle: VehicleDetection
  /** In fractions of the picture `veiculo`; null: no plate found. */
  readonly plate: Caixa | null
  /** null: no plate found. */
  readonly qualidade: QualidadePlaca | null
  /** Colour of the vehicle; null or missing: not certain in this frame. */
  readonly colour?: SeenColour | null
  media(): Promise<readonly PassageMedia[]>
}

interface Best {
  readonly epochMs: number
  readonly vehicle: VehicleDetection
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
  see(detection: VehicleDetection, time: FrameTime): void
  read(evidence: PlateEvidence, streamMs: number): Promise<void>
  /** Takes over the detections and readings of a passage that shows the same vehicle. */
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

/** Shortest passage without a plate, or fewest readings of one: a flicker of the detector is none. */
const SHORTEST_MS = 1_000
const FEWEST_READINGS = 2
const CANDIDATE_MIN = 0.02

/** One vehicle in front of the camera, from its first to its last frame. */
export function createPassage(
  { cameraId, linha, confPlaca, modelo }: PassageSettings,
  first: VehicleDetection,
  time: FrameTime,
  trilha: string,
): Passage {
  const id = randomUUID()
  const tracks = new Set<number>()
  const begunMs = time.streamMs
  let begunEpochMs = time.epochMs
  let [lastMs, lastEpochMs] = [time.streamMs, time.epochMs]
  let colours: SeenColour[] = []
  const pictures = createBestPictures()
  let sent: Sent | null = null
  /** The most certain detection of the vehicle; null: only its plate was seen. */
  let surest = first.rotulo === null ? null : first
  const motion = createVehicleMotion(linha, first)
  const votes = createPassageVote(confPlaca)
  const decided = () => (votes.isDecided(lastMs) ? votes.result : null)

  const record = (placa: RegistroPassagem['placa'], shown: Best, end: boolean): SeenPassage => ({
    camera_id: cameraId,
    passagem: id,
    revisao: (sent?.revisao ?? 0) + 1,
    inicio: Math.round(begunEpochMs),
    fim: end ? Math.round(lastEpochMs) : null,
    cor: voteColour(colours),
    trilha,
    direcao: motion.direcao,
    placa,
    conf_placa: confPlaca,
    modelo,
    ...shownFields(shown, surest),
    ...votedFields(votes.result, placa),
    media: shown === sent?.best ? [] : shown.media,
  })

  return {
    id,
    tracks,
    settled: votes.settled,
    text: () => votes.result?.placa ?? null,
    placa: () => decided()?.placa ?? null,
    get direcao() {
      return motion.direcao
    },
    get moved() {
      return motion.moved
    },
    get reported() {
      return sent !== null
    },
    get lastMs() {
      return lastMs
    },
    get lastBox() {
      return motion.lastBox
    },
    get reads() {
      return votes.reads
    },
    get jumped() {
      return motion.jumped
    },
    get lastRead() {
      return votes.lastRead
    },
    get parts() {
      return { begunEpochMs, readings: votes.frames, colours, best: pictures.best }
    },
    see(detection, { streamMs, epochMs }) {
      ;[lastMs, lastEpochMs] = [streamMs, epochMs]
      motion.see(detection, streamMs)
      if (detection.rotulo !== null && detection.confianca > (surest?.confianca ?? 0)) surest = detection
    },
    async read(evidence, streamMs) {
      motion.read()
      if (evidence.colour) colours.push(evidence.colour)
      votes.add(evidence, { streamMs, w: evidence.vehicle.box.w })
      await pictures.offer(evidence)
    },
    absorb(other) {
      begunEpochMs = Math.min(begunEpochMs, other.parts.begunEpochMs)
      for (const track of other.tracks) tracks.add(track)
      lastMs = Math.max(lastMs, other.lastMs)
      colours = [...colours, ...other.parts.colours]
      motion.absorb(other)
      pictures.absorb(other.parts.best)
      votes.absorb(other.parts.readings)
    },
    report(end) {
      const vote = decided()
      const placa = vote && readingOf(vote)
      const { best } = pictures
      const { moved, direcao } = motion
      if (!moved || best === null) return null
      const isNews = sent === null ? placa !== null : placa?.placa !== sent.placa || direcao !== sent.direcao
      const isSeen = lastMs - begunMs >= SHORTEST_MS || votes.frames.length >= FEWEST_READINGS
      if (end ? sent === null && placa === null && !isSeen : !isNews) return null
      const seen = record(placa, best, end)
      sent = { revisao: seen.revisao, placa: placa?.placa ?? null, direcao, best }
      return seen
    },
  }
}

/** The best frame of a passage so far. */
function createBestPictures() {
  let best: Best | null = null
  return {
    get best() {
      return best
    },
    async offer({ epochMs, vehicle, plate, qualidade, readings: [found], heightPx, media }: PlateEvidence) {
      const quality = found ? 1 + heightPx * found.chance : areaOf(vehicle.box)
      if (best && quality <= best.quality * 1.1) return
      best = { epochMs, vehicle, plate, qualidade, quality, media: await media() }
    },
    absorb(other: Best | null) {
      if (other && other.quality > (best?.quality ?? 0)) best = other
    },
  }
}

/** Fields of a record about the vehicle in its best frame. `surest`: its most certain detection; null: none. */
const shownFields = ({ epochMs, vehicle, plate, qualidade }: Best, surest: VehicleDetection | null) => ({
  ocorrido_em: Math.round(epochMs),
  veiculo: surest?.rotulo ?? null,
  confianca: surest?.confianca ?? vehicle.confianca,
  caixa: { rotulo: vehicle.rotulo ?? 'placa', confianca: vehicle.confianca, ...vehicle.box },
  caixa_placa: plate,
  qualidade,
})

/** Fields of a record about the vote beside its plate. */
function votedFields(vote: VotedPlate | null, placa: RegistroPassagem['placa']) {
  const readings = vote === null ? [] : [vote, ...vote.candidates]
  const others = readings.filter((one) => one.placa !== placa?.placa && one.chance >= CANDIDATE_MIN)
  return { quadros: vote?.frames ?? 0, candidatas: others.slice(0, MAX_CANDIDATAS).map(readingOf) }
}

const readingOf = ({ placa, syntax, chance }: PlateReading): NonNullable<RegistroPassagem['placa']> => ({
  placa,
  pais: syntax.pais,
  forma: syntax.forma,
  confianca: Math.min(1, chance),
})
