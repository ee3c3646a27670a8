import type { Box } from './geometry.ts'

/**
 * Last known position of an object, as a state keeps it across a restart. Lengths are fractions of the frame; speeds
 * are per second.
 */
export interface SavedPlace {
  readonly box: Box
  readonly vx: number
  readonly vy: number
  /** Edge clock, in epoch ms. */
  readonly seenAt: number
}

export interface SavedVisit<Data extends object> extends SavedPlace {
  readonly data: Data
}

/** A visit as it is stored: coordinates rounded to four digits, data copied. */
export const saveVisit = <Data extends object>({ box, vx, vy, seenAt, data }: SavedVisit<Data>): SavedVisit<Data> => ({
  box: { x: round(box.x), y: round(box.y), w: round(box.w), h: round(box.h) },
  vx: round(vx),
  vy: round(vy),
  seenAt,
  data: { ...data },
})

export function isBox(raw: unknown): raw is Box {
  const { x, y, w, h } = (raw ?? {}) as Partial<Box>
  return [x, y, w, h].every((value) => Number.isFinite(value))
}

/** Whether `raw`, read from a stored state, is a usable position. */
export function isSavedPlace(raw: unknown): raw is SavedPlace {
  const { box, vx, vy, seenAt } = (raw ?? {}) as Partial<SavedPlace>
  return isBox(box) && [vx, vy, seenAt].every((value) => Number.isFinite(value))
}

/** The usable visits in `raw`, read from a stored state; others are left out. null: `raw` is no list. */
export function readSavedVisits<Data extends object>(
  raw: unknown,
  isData: (data: unknown) => data is Data,
): SavedVisit<Data>[] | null {
  if (!Array.isArray(raw)) return null
  return raw.filter((one): one is SavedVisit<Data> => isSavedPlace(one) && isData((one as { data?: unknown }).data))
}

const round = (value: number) => Math.round(value * 10_000) / 10_000
