import type { Candidato, Midia } from '@vigia/contracts/candidate'
import type { AnaliseDesejada, Fontes } from '@vigia/contracts/edge-state'
import type { Linha, Zonas } from '@vigia/contracts/geometria'
import type { NomeIa } from '@vigia/contracts/ias'

/** Frames of a camera that are analysed in a second. */
export const ANALYSED_FPS = 5

/** Everything that a capture process needs to know of one camera. */
export interface CameraTask {
  readonly id: number
  readonly fontes: Fontes
  readonly analises: readonly AnaliseDesejada[]
  readonly zonas: Zonas
  readonly linha: Linha
  readonly fusoHorario: string
}

/** States that the analyses of one camera left behind, by IA. */
export type AnalysisStates = Partial<Record<NomeIa, unknown>>

export interface SavedState {
  readonly cameraId: number
  readonly ia: NomeIa
  readonly state: unknown
}

export interface FrameTime {
  /** Edge clock when the frame was taken, epoch ms: two frames are as far apart on it as on the stream, however late each arrived. Never ahead. */
  readonly epochMs: number
  /** Monotonic, spaced by the stream's timestamps. */
  readonly streamMs: number
}

/** What the pipeline hands over; number, media list and identity of the record are the outbox's to give. */
export type NewCandidate = Omit<Candidato, 'tipo' | 'v' | 'seq' | 'midias' | 'midia_descartada'>

export interface NewMedia {
  readonly papel: Midia['papel']
  readonly bytes: Uint8Array
}

/** An event before the main process gives it identity, clock and number. */
export interface SeenEvent {
  readonly candidate: Omit<NewCandidate, 'id' | 'relogio'>
  readonly media: readonly NewMedia[]
}
