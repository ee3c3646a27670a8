import type { AnaliseDesejada } from '@vigia/contracts/edge-state'
import type { Caixa } from '@vigia/contracts/eventos'
import type { Linha, Zonas } from '@vigia/contracts/geometria'
import type { NomeIa } from '@vigia/contracts/ias'
import type { Box } from './geometry.ts'

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
}

/** What an analysis decided in one frame. */
export interface Fired {
  readonly ia: NomeIa
  /** Tracks that made it fire, the most telling one first; empty: the picture as a whole. */
  readonly trackIds: readonly number[]
  readonly caixas: readonly Caixa[]
  readonly confianca: number
  readonly rotulos: readonly string[]
  /** Index of the zone; null: no geometric restriction. */
  readonly zona: number | null
}

/** One IA on one camera. It is given every analysed frame and knows no clock of its own. */
export interface Analysis {
  readonly ia: NomeIa
  /** Whether its Agenda lets it fire at `epochMs`; frames in which nothing is armed need no detector. */
  armed(epochMs: number): boolean
  /**
   * @param epochMs wall clock: for the Agenda and for what must hold across a restart
   * @param streamMs monotonic: every duration is measured on it
   */
  update(tracks: readonly ObservedTrack[], epochMs: number, streamMs: number): Fired[]
  /** Tracks of the last frame that may still fire: worth keeping a picture of. */
  promising(): readonly number[]
  /** Plain JSON. Given back to `createAnalysis` after a restart, nothing is repeated and no cooldown is forgotten. */
  state(): unknown
}

export interface AnalysisConfig extends AnaliseDesejada {
  readonly zonas: Zonas
  readonly linha: Linha
  /** IANA time zone of the Empresa. */
  readonly fusoHorario: string
}
