import { type Feriados, isArmed, type Janelas } from '../agenda.ts'
import type { Limiares } from '../calibration.ts'
import type { NomeIa } from '../catalogue.ts'
import type { Linha, Zonas } from '../geometry.ts'
import type { AnalysisConfig } from '../observation.ts'

/** The settings of one camera, as its rules read them. */
export interface Settings {
  readonly ias: readonly NomeIa[]
  /** Values in force, with the defaults of missing thresholds. */
  readonly calibracao: Readonly<Record<NomeIa, Limiares>>
  readonly agenda: Readonly<Partial<Record<NomeIa, Janelas>>>
  readonly zonas: Zonas
  readonly linha: Linha
  /** IANA time zone of the Empresa. */
  readonly fusoHorario: string
  /** Absent: none. */
  readonly feriados?: Feriados | undefined
}

/** The settings of one IA. */
export const configOf = (settings: Settings, ia: NomeIa): AnalysisConfig => ({
  ia,
  calibracao: settings.calibracao[ia],
  agenda: settings.agenda[ia] ?? null,
  zonas: settings.zonas,
  linha: settings.linha,
  fusoHorario: settings.fusoHorario,
  feriados: settings.feriados,
})

const same = (a: Zonas | Linha, b: Zonas | Linha): boolean => JSON.stringify(a) === JSON.stringify(b)

/** `after` with the very geometry of `before` where they are equal, so that a comparison is by reference. */
export const keepShapes = (before: Settings, after: Settings): Settings => ({
  ...after,
  zonas: same(before.zonas, after.zonas) ? before.zonas : after.zonas,
  linha: same(before.linha, after.linha) ? before.linha : after.linha,
})

/** Offsets from UTC are multiples of a quarter of an hour. */
const STEP_MS = 900_000

/** Whether `after` arms the IA at a time of the period at which `before` armed none of `watched`. */
export function armsLonger(
  ia: NomeIa,
  [before, after]: readonly [Settings, Settings],
  watched: readonly NomeIa[],
  { desde, ate }: { readonly desde: number; readonly ate: number },
): boolean {
  const armed = (settings: Settings, one: NomeIa, at: number) =>
    isArmed(settings.agenda[one] ?? null, settings.fusoHorario, at, settings.feriados)
  for (let at = desde; at < ate; at += STEP_MS)
    if (armed(after, ia, at) && !watched.some((one) => armed(before, one, at))) return true
  return false
}

/** Whether `settings` arm the IA at a time in the given distance after `epochMs`. */
export function armedSoon(ia: NomeIa, settings: Settings, epochMs: number, withinMs: number): boolean {
  for (let at = epochMs; at <= epochMs + withinMs; at += 60_000)
    if (isArmed(settings.agenda[ia] ?? null, settings.fusoHorario, at, settings.feriados)) return true
  return false
}
