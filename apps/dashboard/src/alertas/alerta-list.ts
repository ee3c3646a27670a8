import type { Evento } from '@vigia/contracts/eventos'

/** Largest number of alerts that the page keeps: it stays open for weeks on a wall display. */
export const MAX_ALERTAS = 200

export type FiltroVeredito = 'confirmado' | 'refutado' | 'pendente'

export interface FiltroAlertas {
  readonly empresa: number | null
  readonly camera: number | null
  /** null: all verdicts; `refutado` only if `refutados` is set. */
  readonly veredito: FiltroVeredito | null
  readonly refutados: boolean
}

const situacao = (evento: Evento): FiltroVeredito => evento.veredito?.decisao ?? 'pendente'

/** The verdicts that `filtro` shows; null: all of them. */
export function vereditos(filtro: FiltroAlertas): readonly FiltroVeredito[] | null {
  if (filtro.veredito) return [filtro.veredito]
  return filtro.refutados ? null : ['confirmado', 'pendente']
}

function matches(evento: Evento, filtro: FiltroAlertas): boolean {
  if (filtro.empresa !== null && evento.empresa_id !== filtro.empresa) return false
  if (filtro.camera !== null && evento.camera_id !== filtro.camera) return false
  return vereditos(filtro)?.includes(situacao(evento)) ?? true
}

/**
 * Returns the later of two versions of one event. A verdict is final, so the version with a verdict is the later one.
 * An API answer from before the verdict must not undo it.
 */
function later(one: Evento, other: Evento): Evento {
  if (one.veredito === null) return other
  if (other.veredito === null) return one
  return other.veredito.verificado_em >= one.veredito.verificado_em ? other : one
}

/**
 * By time of occurrence, newest first; equal times by id. An edge may deliver hours late, so that the order of arrival
 * is useless.
 */
const newestFirst = (a: Evento, b: Evento): number =>
  Date.parse(b.ocorrido_em) - Date.parse(a.ocorrido_em) || b.id - a.id

/**
 * Merges `incoming` into `list`: the latest version of each event that matches `filtro`, newest first, at most
 * MAX_ALERTAS. An event whose verdict no longer matches the filter is removed.
 */
export function mergeEventos(list: readonly Evento[], incoming: readonly Evento[], filtro: FiltroAlertas): Evento[] {
  const byId = new Map<number, Evento>()
  for (const evento of [...list, ...incoming]) {
    const known = byId.get(evento.id)
    byId.set(evento.id, known ? later(known, evento) : evento)
  }
  return [...byId.values()]
    .filter((evento) => matches(evento, filtro))
    .sort(newestFirst)
    .slice(0, MAX_ALERTAS)
}
