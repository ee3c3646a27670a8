import type { ProblemaImagem } from '@vigia/contracts/ias'
import type { TransformName } from './transforms.ts'

/** A change of a video: a transformation of all of it, or an obstruction of the camera. */
export type Stress =
  | { readonly kind: 'transform'; readonly name: TransformName }
  /** Seconds: the obstruction starts at `fromS`, and the clip ends at `untilS`. */
  | { readonly kind: 'obstruction'; readonly problema: ProblemaImagem; readonly fromS: number; readonly untilS: number }

export const nameOf = (stress: Stress): string => (stress.kind === 'transform' ? stress.name : stress.problema)
