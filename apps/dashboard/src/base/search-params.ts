/**
 * Parsers of search parameters. An invalid value becomes an explicit undefined: for a missing key the router would pass
 * the raw value on.
 */
type Param<Name extends string, T> = { [K in Name]?: T | undefined }

const param = <Name extends string, T>(name: Name, value: T | undefined): Param<Name, T> =>
  ({ [name]: value }) as Param<Name, T>

/** A database id. */
export const idParam = <Name extends string>(name: Name, value: unknown): Param<Name, number> =>
  param(name, typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined)

/** A switch: true or absent. */
export const booleanParam = <Name extends string>(name: Name, value: unknown): Param<Name, true> =>
  param(name, value === true ? true : undefined)

/** One of `allowed`. */
export const oneOf = <Name extends string, const T extends readonly (string | number)[]>(
  name: Name,
  value: unknown,
  allowed: T,
): Param<Name, T[number]> =>
  param<Name, T[number]>(
    name,
    allowed.find((one) => one === value),
  )

/** Any text. */
export const textParam = <Name extends string>(name: Name, value: unknown): Param<Name, string> =>
  param(name, typeof value === 'string' ? value : undefined)

/** Text of a person, also one that the URL holds as a number: a word of a search may be `1234`. */
export const wordsParam = <Name extends string>(name: Name, value: unknown): Param<Name, string> =>
  param(name, typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : undefined)

/** A calendar day, `2026-11-21`. */
export const dateParam = <Name extends string>(name: Name, value: unknown): Param<Name, string> => {
  const day = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T00:00:00Z`) : null
  // 31 February is invalid: Date would turn it into another day.
  const real = day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(String(value))
  return param(name, real ? String(value) : undefined)
}

/** An hour of day, `08:30`. */
export const timeParam = <Name extends string>(name: Name, value: unknown): Param<Name, string> =>
  param(name, typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : undefined)

/** An instant, ISO 8601 with its offset from UTC. */
const instantParam = <Name extends string>(name: Name, value: unknown): Param<Name, string> => {
  const isInstant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value)
  return param(name, isInstant && !Number.isNaN(Date.parse(value)) ? value : undefined)
}

/** A part of a camera's day: its start `em`, and its end `ate`. */
export const spanParams = (raw: Record<string, unknown>) => ({
  ...idParam('camera', raw.camera),
  ...instantParam('em', raw.em),
  ...instantParam('ate', raw.ate),
})

/** A day, and the part of it that the zoom of its bar shows (`base/tempo/interval.ts`). */
const dayParams = (raw: Record<string, unknown>) => ({
  ...dateParam('dia', raw.dia),
  ...textParam('zoom', raw.zoom),
})

/** A day of a camera's recordings: the part to fetch, and the recording that plays from `posicao`. */
export const recordingsParams = (raw: Record<string, unknown>) => ({
  ...spanParams(raw),
  ...dayParams(raw),
  ...idParam('assistir', raw.assistir),
  ...instantParam('posicao', raw.posicao),
})

/** A day of cameras: the chosen part of that of the camera `linha`, and the incidente that plays. */
export const daysParams = (raw: Record<string, unknown>) => ({
  ...idParam('camera', raw.camera),
  ...dayParams(raw),
  ...idParam('linha', raw.linha),
  ...textParam('trecho', raw.trecho),
  ...idParam('assistir', raw.assistir),
})
