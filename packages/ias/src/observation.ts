import type { DetalhesIa } from '@vigia/contracts/candidate'
import type { AnaliseDesejada } from '@vigia/contracts/edge-state'
import type { Caixa } from '@vigia/contracts/eventos'
import type { Linha, Zonas } from '@vigia/contracts/geometria'
import type { NomeIa, ProblemaImagem } from '@vigia/contracts/ias'
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
  /** For how long it has stood where it stands, ms; 0: it moves. */
  readonly stillMs: number
  /** Where it was before, oldest first, stream ms, also while it went by another label; left out: not known. */
  readonly trail?: readonly { readonly atMs: number; readonly box: Box }[]
  /** What the epi model saw on this person in this frame; null: it did not look. */
  readonly epi: EpiSight | null
  /** Flames and smoke only: what the pictures before say of the place; null: not known (a single picture). */
  readonly fire: FireEvidence | null
  /** Flames only: how much of the box lies within somebody's, 0–1; left out: not known. */
  readonly onPerson?: number
}

/** Best confidence for each, 0: not seen; and the boxes, in fractions of the frame. */
export interface EpiSight {
  readonly hardhat: number
  readonly noHardhat: number
  readonly vest: number
  readonly noVest: number
  readonly caixas: readonly Caixa[]
}

/** What speaks for fire beside the detector, 0–1 each. */
export interface FireEvidence {
  /** How much of the place has the colours of a flame (or the greyness of smoke). */
  readonly colour: number
  /** How restless the place is, at a place that stays: a flame flickers, a lamp and a red shirt do not. */
  readonly flicker: number
}

/** What is the matter with the picture as a whole, 0–1 for each problem. */
export type PictureHealth = Readonly<Record<ProblemaImagem, number>>

/** One analysed frame. */
export interface Observation {
  /** Wall clock: for the Agenda and for what must hold across a restart. */
  readonly epochMs: number
  /** Monotonic: every duration is measured on it. */
  readonly streamMs: number
  /** Every track that lives, of the model that the analysis looks at; `[]` for analyses without a model. */
  readonly tracks: readonly ObservedTrack[]
  /** null: not judged in this frame. */
  readonly picture: PictureHealth | null
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
  readonly detalhes: DetalhesIa
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

export interface AnalysisConfig extends AnaliseDesejada {
  readonly zonas: Zonas
  readonly linha: Linha
  /** IANA time zone of the Empresa. */
  readonly fusoHorario: string
}
