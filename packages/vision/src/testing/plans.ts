import type { PlanAbout } from '../regions.ts'

export const frame = { width: 1280, height: 720 }
export const input = { width: 416, height: 312 }

/** Input of a plan: an empty frame plus `more`. */
export const about = (more: Partial<PlanAbout>): PlanAbout => ({
  frame,
  input,
  motion: [],
  tracks: [],
  atMs: 0,
  budget: 2,
  ...more,
})
