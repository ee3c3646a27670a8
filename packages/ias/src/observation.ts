import type { Feriados, Janelas } from './agenda.ts'
import type { Appearance } from './appearance.ts'
import type { Limiares } from './calibration.ts'
import type { Detalhes, NomeIa } from './catalogue.ts'
import type { Chance } from './chance.ts'
import type { Detection } from './detection.ts'
import type { Box, Linha, Zonas } from './geometry.ts'
import type { Evidence } from './tasks/findings.ts'

/** One tracked object in one analysed frame: output of the tracker, and motion under its box. */
export interface ObservedTrack {
  /** Never reused during the life of an analysis. */
  readonly id: number
  readonly rotulo: string
  readonly confianca: number
  readonly box: Box
  /** Consecutive analysed frames with a matched detection, including this one. */
  readonly hits: number
  /** No detection in this frame; the box is a prediction. */
  readonly predicted: boolean
  /** Fraction of the box that moved since the last frame, 0–1. */
  readonly motion: number
  /** Time without movement; 0: the object moves. */
  readonly stillMs: number
  /** Earlier boxes with their stream time, oldest first, also those with another label; undefined: unknown. */
  readonly trail?: readonly { readonly atMs: number; readonly box: Box }[]
  /** Colours of a person, mean of the detections; undefined: unknown. */
  readonly appearance?: Appearance | undefined
  /** Found by the background model, not by a detector. */
  readonly still?: true
  /** Evidence of the tasks for this track in this frame. */
  readonly evidence: Evidence
}

/** One analysed frame. */
export interface Observation {
  /** Wall clock: for the Agenda and for times that are stored. */
  readonly epochMs: number
  /** Monotonic clock of all durations. */
  readonly streamMs: number
  /** All live tracks of the model that the analysis uses; `[]` for analyses without a model. */
  readonly tracks: readonly ObservedTrack[]
  /** Evidence of the tasks for the whole picture. */
  readonly evidence: Evidence
}

/** One event that an analysis raises in one frame. */
export interface Fired {
  readonly ia: NomeIa
  /** Tracks of the event, most significant first; empty: the whole picture. */
  readonly trackIds: readonly number[]
  readonly caixas: readonly Detection[]
  readonly confianca: number
  readonly rotulos: readonly string[]
  /** Index of the zone; null: no geometric restriction. */
  readonly zona: number | null
  readonly detalhes: Detalhes
}

/** One IA on one camera. It receives every analysed frame and reads no clock. */
export interface Analysis {
  readonly ia: NomeIa
  /** Whether its Agenda is open at `epochMs`; frames without an armed analysis need no detector. */
  armed(epochMs: number): boolean
  update(seen: Observation): Fired[]
  /** Tracks of the last frame that may still fire, so that their pictures are kept. */
  promising(): readonly number[]
  /** Tracks of the last frame that fired, or would fire with other settings; absent: the rule does not report them. */
  chances?(): readonly Chance[]
  /** Stream time at which the rule needs a frame, also without motion; absent or null: motion is enough. */
  wakesAtMs?(): number | null
  /** Plain JSON. Passed to `createAnalysis` after a restart, it prevents repeated events and keeps the cooldown. */
  state(): unknown
}

export type CreateRule = (config: AnalysisConfig, state?: unknown) => Analysis

export interface AnalysisConfig {
  readonly ia: NomeIa
  readonly calibracao: Limiares
  /** null: armed 24 hours. */
  readonly agenda: Janelas
  readonly zonas: Zonas
  readonly linha: Linha
  /** IANA time zone of the Empresa. */
  readonly fusoHorario: string
  /** Absent: none. */
  readonly feriados?: Feriados | undefined
}
