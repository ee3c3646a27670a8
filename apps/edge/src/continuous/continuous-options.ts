import type { Fontes } from '@vigia/contracts/edge-state'
import type { TipoDisco, TrechoApagado } from '@vigia/contracts/gravacao-continua'
import type { Logger } from 'pino'
import type { Supervisor } from '../supervisor/supervisor.ts'
import type { MinuteTimes } from './minute-correction.ts'

export interface ContinuousOptions {
  readonly folder: string
  /** Recordings of another owner in the folder are deleted. */
  readonly owner: string
  readonly stream: Supervisor['stream']
  /** Free space to leave on the disk. Larger than that of clips, so that recordings give way before them. */
  readonly reserveBytes: number
  /** null: unknown. */
  freeBytes(): number | null
  readonly log: Logger
  /** Replaces the detection in tests. */
  readonly kind?: TipoDisco
  readonly retryMs?: number
  /** Default: the time is always known. */
  readonly times?: MinuteTimes
}

/** A camera that is to be recorded. */
export interface RecordedCamera {
  readonly id: number
  /** null: inactive, or unreadable. */
  readonly fontes: Fontes | null
  readonly isMasked: boolean
  /** Parts to delete, edge clock in epoch ms. */
  readonly erased?: readonly TrechoApagado[]
}
