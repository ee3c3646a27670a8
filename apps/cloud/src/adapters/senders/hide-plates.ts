import type { Evento } from '@vigia/contracts/eventos'
import { ia } from '@vigia/contracts/ias'
import type { Mensagem } from './interface.ts'

const isOfPlate = ({ tipo }: Pick<Evento, 'tipo'>): boolean => ia(tipo).modelo === 'placas'

/** null: none was read, or the message does not carry it. */
function plateOf(evento: Evento): string | null {
  const { placa } = evento.detalhes
  return isOfPlate(evento) && typeof placa === 'string' ? placa : null
}

/** Line of a text about the plate of an evento; empty: the message has none. */
export function plateLines(evento: Evento): (readonly [string, string])[] {
  const plate = plateOf(evento)
  return plate === null ? [] : [['Placa', plate]]
}

/** The kind of an evento in a short text, with its plate: `Placa (Modo B), ABC1D23`. */
export const withPlate = (kind: string, evento: Evento): string => [kind, plateOf(evento) ?? []].flat().join(', ')

/** Returns the message for a canal without plates: no text of a plate, and no picture of an evento about one. */
export function withoutPlates(mensagem: Mensagem): Mensagem {
  if ('evento' in mensagem && isOfPlate(mensagem.evento))
    return { ...mensagem, evento: withoutPlate(mensagem.evento), semImagem: true }
  if ('capa' in mensagem && isOfPlate(mensagem.capa))
    return { ...mensagem, capa: withoutPlate(mensagem.capa), semImagem: true }
  return mensagem
}

function withoutPlate(evento: Evento): Evento {
  const { placa: _, ...detalhes } = evento.detalhes
  return { ...evento, detalhes, crop_url: null, clip_url: null }
}
