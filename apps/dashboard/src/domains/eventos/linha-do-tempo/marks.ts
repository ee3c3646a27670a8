/** Position of a mark on the track of a day, as fractions of the day. */
export interface Mark {
  readonly start: number
  readonly length: number
}

/** Returns the part of a period within a day; null: none. `fim` null: it lasts until `now`. */
export function markOf(
  { inicio, fim }: { readonly inicio: string; readonly fim: string | null },
  day: { readonly desde: number; readonly ate: number },
  now: number,
): Mark | null {
  const from = Math.max(Date.parse(inicio), day.desde)
  const to = Math.min(fim === null ? now : Date.parse(fim), day.ate)
  if (to < from) return null
  const whole = day.ate - day.desde
  return { start: (from - day.desde) / whole, length: (to - from) / whole }
}
