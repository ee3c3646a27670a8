import type { Candidato, Midia } from '@vigia/contracts/candidate'
import type { AnaliseDesejada, Fontes } from '@vigia/contracts/edge-state'
import type { Descartado, Evidencia } from '@vigia/contracts/extras'
import type { Linha, Zonas } from '@vigia/contracts/geometria'
import type { NomeIa } from '@vigia/contracts/ias'
import type { Transporte } from '@vigia/contracts/transporte'
import type { Feriados, Janelas } from '@vigia/ias/agenda'

/** Analysed frames per second of a camera. */
export const ANALYSED_FPS = 5

/** Plates of one camera. */
export interface ModoB {
  /** Where vehicles count; empty: the whole frame. */
  readonly regiao: Zonas
  /** A reading below it is a candidate. */
  readonly confPlaca: number
}

/** One IA of a camera. */
export interface Analise extends Pick<AnaliseDesejada, 'ia' | 'calibracao'> {
  /** null: armed 24 hours. */
  readonly agenda: Janelas
}

/** Settings of one camera for a capture process. */
export interface CameraTask {
  readonly id: number
  readonly fontes: Fontes
  readonly analises: readonly Analise[]
  readonly zonas: Zonas
  readonly linha: Linha
  /** Privacy masks: polygons that are hidden in every picture. */
  readonly mascaras?: Zonas
  readonly fusoHorario: string
  /** Absent: none. */
  readonly feriados?: Feriados
  /** Passages of vehicles are reported; absent: no. */
  readonly modoB?: ModoB
  /** Whether single pictures of the main stream may be taken as evidence; no when omitted. */
  readonly mainPicture?: boolean
  /** Live video and clips have the audio of the camera; no when omitted. Ignored with masks. */
  readonly audio?: boolean
  /** Absent: automatic. */
  readonly transporte?: Exclude<Transporte, 'automatico'>
  /** A clip is cut around each event. */
  readonly clips?: boolean
}

/** Stored states of the analyses of one camera, by IA. */
export type AnalysisStates = Partial<Record<NomeIa, unknown>>

export interface SavedState {
  readonly cameraId: number
  readonly ia: NomeIa
  readonly state: unknown
}

export interface FrameTime {
  /**
   * Edge clock at the capture of the frame, in epoch ms. Distances between frames are those of the stream, regardless
   * of their arrival. Never in the future.
   */
  readonly epochMs: number
  /** Monotonic stream time; the differences are those of the stream's timestamps. */
  readonly streamMs: number
}

/** Candidate without the fields that the outbox adds: number, media list and identity of the record. */
export type NewCandidate = Omit<Candidato, 'tipo' | 'v' | 'seq' | 'midias' | 'midia_descartada'>

export interface NewMedia {
  readonly papel: Midia['papel']
  readonly bytes: Uint8Array
}

/** An event before the main process adds identity, clock and number. */
export interface SeenEvent {
  readonly candidate: Omit<NewCandidate, 'id' | 'relogio'>
  readonly media: readonly NewMedia[]
  /** Reference for further pictures (`SeenEvidence`), unique per process; absent: none follow. */
  readonly ref?: string
}

/** A further picture of the object of an event. */
export interface EvidencePicture extends Pick<Evidencia, 'fonte' | 'dt_ms' | 'redetectada' | 'caixas'> {
  readonly jpeg: Uint8Array
}

export interface SeenEvidence {
  readonly ref: string
  readonly cameraId: number
  readonly pictures: readonly EvidencePicture[]
}

/** A discarded candidate before the main process adds identity and clock. */
export interface SeenDiscard extends Omit<Descartado, 'tipo' | 'v' | 'id' | 'imagem'> {
  /** null: without a picture. */
  readonly jpeg: Uint8Array | null
}
