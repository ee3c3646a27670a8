import type { Limiares } from '../calibration.ts'
import { type Detalhes, ia, type NomeIa } from '../catalogue.ts'
import type { Detection } from '../detection.ts'
import type { Box } from '../geometry.ts'

/** Why a rule raised no event for a track that it followed. */
export const stopReasons = ['conf', 'zona', 'agenda', 'resfriamento', 'duracao', 'alertado'] as const
/** `alertado`: its visit had raised an event before; the marks show how the track went on. */
export type StopReason = (typeof stopReasons)[number]

/** Why an event of the period would not have come. */
export const lossReasons = [
  'ia',
  'linha',
  'zona',
  'direcao',
  'pessoas',
  'itens',
  'conf',
  'area',
  'duracao',
  'agenda',
  'resfriamento',
] as const
export type LossReason = (typeof lossReasons)[number]

/**
 * One frame in which a track met its rule, apart from `conf`, `area_min`, Agenda and cooldown. `ms`: after the time of
 * its candidate.
 */
export interface Mark {
  readonly ms: number
  readonly confianca: number
  /** Fraction of the frame. */
  readonly area: number
  /** The object was outside the zones in force. */
  readonly outside: boolean
}

/** One stored candidate: an event, or a track without one. */
export interface Occasion {
  readonly key: string
  readonly ia: NomeIa
  readonly fired: boolean
  /** null: an event. */
  readonly stopped: StopReason | null
  /** Epoch ms of the event, or of the first mark. */
  readonly epochMs: number
  readonly confianca: number
  readonly caixas: readonly Detection[]
  /** Path of the object, oldest first; empty: unknown. */
  readonly trajeto: readonly (Box & { readonly ms: number })[]
  readonly detalhes: Detalhes
  /** Thresholds in force at that time; empty: unknown. */
  readonly calibracao: Limiares
  /** Occasions with the same visit show one object, which is one event. null: a visit of its own. */
  readonly visit: string | null
  /** Name of its track; null: unknown. */
  readonly track: string | null
  /** null: the edge did not report them. */
  readonly marks: readonly Mark[] | null
  /** Whether the marks reach to the end of the track. */
  readonly complete: boolean
}

/** Whether the rule reports marks, which decide `conf`, `area_min`, Agenda and cooldown as the rule does. */
export const isMarked = (nome: NomeIa): boolean => ia(nome).marcas === 'exatas'

/** Whether the marks of the rule show for how long an object stayed. */
export const isTimed = (nome: NomeIa): boolean => ia(nome).marcas === 'tempo'

/** Whether an event is a moment. A moment does not wait for the Agenda or the cooldown, unlike a stay in a zone. */
export const isCrossing = (nome: NomeIa): boolean => ia(nome).geometria === 'linha'
