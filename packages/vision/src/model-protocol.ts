import type { Detection } from '@vigia/ias/detection'
import type { DetectOptions } from './detector.ts'
import type { TarefaVisao } from './manifest.ts'
import type { Weights } from './rescoring.ts'

/** Start options of the worker. */
export interface ModelWorkerSettings {
  readonly folder: string | null
  readonly threads: number
}

export type ToModelWorker =
  | { readonly kind: 'load'; readonly tarefa: TarefaVisao }
  | {
      readonly kind: 'detect'
      readonly number: number
      readonly tarefa: TarefaVisao
      readonly pictures: readonly Uint8Array[]
      readonly options: DetectOptions
    }
  | {
      readonly kind: 'rate'
      readonly number: number
      readonly tarefa: TarefaVisao
      readonly pictures: readonly Uint8Array[]
    }
  | { readonly kind: 'close' }

/** Probability of each label in one picture. */
export type Rating = ReadonlyMap<string, number>

/** Classifier that rates the boxes of a detector. */
export interface SecondStage {
  /** Size and format of the pictures for `rate`, as of `LoadedModel`. */
  readonly input: LoadedModel['input']
  readonly weights: ReadonlyMap<string, Weights>
}

/** A loaded model. */
export interface LoadedModel {
  readonly id: string
  /** Size and format of the pictures for `detect`: packed rows, 3 bytes a pixel. */
  readonly input: { readonly width: number; readonly height: number; readonly format: 'rgb' | 'bgr' }
  readonly labels: ReadonlySet<string>
  /** As of `Detector`. */
  readonly aviso: string | null
  /** null: the confidences of `detect` are final. */
  readonly second: SecondStage | null
}

export type FromModelWorker =
  | { readonly kind: 'ready'; readonly tarefa: TarefaVisao; readonly model: LoadedModel }
  | { readonly kind: 'unusable'; readonly tarefa: TarefaVisao; readonly id: string | null; readonly motivo: string }
  | { readonly kind: 'seen'; readonly number: number; readonly found: Detection[][] }
  | { readonly kind: 'rated'; readonly number: number; readonly ratings: Rating[] }
  | { readonly kind: 'failed'; readonly number: number; readonly reason: string }
