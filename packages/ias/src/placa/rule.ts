import type { CreateRule } from '../observation.ts'

/** Plates are not read yet. */
export const createRule: CreateRule | null = null
