import type { Janela } from './agenda.ts'
import type { Limiares } from './calibration.ts'
import type { Detalhes, NomeIa } from './catalogue.ts'
import type { Detection } from './detection.ts'
import type { Box, Linha, Zonas } from './geometry.ts'
import type { Evidence } from './tasks/findings.ts'

/** One tracked object in one analysed frame: what the tracker says, and what the motion gate saw under its box. */
export interface ObservedTrack {
  /** Never used twice while an analysis lives. */
  readonly id: number
  readonly rotulo: string
  readonly confianca: number
  readonly box: Box
  /** Matched analysed frames in a row, this one included. */
  readonly hits: number
  /** The detector did not see it in this frame; the box is where it should be. */
  readonly predicted: boolean
  /** Fraction of the box that moved since the last frame, 0–1. */
  readonly motion: number
  /** For how long it has stood where it stands, ms; 0: it moves. */
  readonly stillMs: number
  /** Where it was before, oldest first, stream ms, also while it went by another label; left out: not known. */
  readonly trail?: readonly { readonly atMs: number; readonly box: Box }[]
  /** What the tasks say of it in this frame. */
  readonly evidence: Evidence
}

/** One analysed frame. */
export interface Observation {
  /** Wall clock: for the Agenda and for what must hold across a restart. */
  readonly epochMs: number
  /** Monotonic: every duration is measured on it. */
  readonly streamMs: number
  /** Every track that lives, of the model that the analysis looks at; `[]` for analyses without a model. */
  readonly tracks: readonly ObservedTrack[]
  /** What the tasks say of the picture as a whole. */
  readonly evidence: Evidence
}

/** What an analysis decided in one frame. */
export interface Fired {
  readonly ia: NomeIa
  /** Tracks that made it fire, the most telling one first; empty: the picture as a whole. */
  readonly trackIds: readonly number[]
  readonly caixas: readonly Detection[]
  readonly confianca: number
  readonly rotulos: readonly string[]
  /** Index of the zone; null: no geometric restriction. */
  readonly zona: number | null
  readonly detalhes: Detalhes
}

/** One IA on one camera. It is given every analysed frame and knows no clock of its own. */
export interface Analysis {
  readonly ia: NomeIa
  /** Whether its Agenda lets it fire at `epochMs`; frames in which nothing is armed need no detector. */
  armed(epochMs: number): boolean
  update(seen: Observation): Fired[]
  /** Tracks of the last frame that may still fire: worth keeping a picture of. */
  promising(): readonly number[]
  /** Plain JSON. Given back to `createAnalysis` after a restart, nothing is repeated and no cooldown is forgotten. */
  state(): unknown
}

export type CreateRule = (config: AnalysisConfig, state?: unknown) => Analysis

export interface AnalysisConfig {
  readonly ia: NomeIa
  readonly calibracao: Limiares
  /** null: armed 24 hours. */
  readonly agenda: Janela | null
  readonly zonas: Zonas
  readonly linha: Linha
  /** IANA time zone of the Empresa. */
  readonly fusoHorario: string
}
