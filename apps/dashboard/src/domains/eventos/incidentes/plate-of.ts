import type { Evento } from '@vigia/contracts/eventos'
import { ia } from '@vigia/contracts/ias'

/** The plate of an event as the login may see it; null: another IA, or no plate was read. */
export function plateOf({ tipo, detalhes: { placa, dono, nota } }: Evento) {
  if (ia(tipo).modelo !== 'placas' || typeof placa !== 'string') return null
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return { texto: placa, dono: text(dono), nota: text(nota) }
}
