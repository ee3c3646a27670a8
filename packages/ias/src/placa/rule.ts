import type { CreateRule } from '../observation.ts'

/** Plates are read in a stage of their own (packages/analysis/src/plates); each passage raises its event. */
export const createRule: CreateRule | null = null
