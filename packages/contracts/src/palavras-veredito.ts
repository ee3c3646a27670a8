import { labelNames } from '@vigia/ias/label-names'
import type { Evento, Veredito } from './eventos.ts'
import { ia } from './ias.ts'

/** Outcome of a verification as people read it; `incerto`: confirmed with `certeza` `baixa`. */
export type Desfecho = 'confirmado' | 'incerto' | 'refutado'

export const desfechoDe = ({ decisao, certeza }: Pick<Veredito, 'decisao' | 'certeza'>): Desfecho =>
  decisao === 'confirmado' && certeza === 'baixa' ? 'incerto' : decisao

/** Portuguese name of the thing that the event is about, without article. */
export const assuntoDe = ({ tipo, rotulos }: Pick<Evento, 'tipo' | 'rotulos'>): string =>
  ia(tipo).assunto?.portugues ?? labelNames(rotulos.length > 0 ? rotulos : ia(tipo).rotulos)

/** Portuguese words of a verdict in place of numbers, for screens and messages. */
export function palavrasVeredito(
  veredito: Pick<Veredito, 'decisao' | 'certeza'>,
  evento: Pick<Evento, 'tipo' | 'rotulos'>,
): string {
  const assunto = assuntoDe(evento)
  switch (desfechoDe(veredito)) {
    case 'confirmado':
      return 'Confirmado'
    case 'incerto':
      return `Pode ser ${assunto} – confira`
    case 'refutado':
      return `Descartado: não havia ${assunto}`
  }
}
