import type { Evento } from '@vigia/contracts/eventos'
import { ia } from '@vigia/contracts/ias'
import type { Mensagem } from './interface.ts'

export const isOfPlate = ({ tipo }: Pick<Evento, 'tipo'>): boolean => ia(tipo).modelo === 'placas'

/** The kind of an evento in a title: `Invasão`, `Placa bloqueada`. */
export function kindOf(evento: Evento): string {
  const { titulo } = ia(evento.tipo)
  const { lista } = evento.detalhes
  return isOfPlate(evento) && typeof lista === 'string' ? `${titulo} ${lista}` : titulo
}

/** The plate of an evento; null: none was read, or the message does not carry it. */
function plateOf(evento: Evento): string | null {
  const { placa } = evento.detalhes
  return isOfPlate(evento) && typeof placa === 'string' ? placa : null
}

/** The plate of the evento that a message shows; null: it carries none. */
export const plateOfMessage = (mensagem: Mensagem): string | null =>
  'evento' in mensagem ? plateOf(mensagem.evento) : 'capa' in mensagem ? plateOf(mensagem.capa) : null

/** Lines of a text about the plate of an evento, and what its list says; empty: the message has none. */
export function plateLines(evento: Evento): (readonly [string, string])[] {
  const plate = plateOf(evento)
  if (plate === null) return []
  const { lista, dono, nota } = evento.detalhes
  const lines = [
    ['Placa', plate],
    ['Lista', lista],
    ['Dono', dono],
    ['Nota da placa', nota],
  ] as const
  return lines.flatMap(([term, value]) => (typeof value === 'string' ? [[term, value] as const] : []))
}

/** The kind of an evento in a short text, with its plate: `Placa, ABC1D23`. */
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
  const { placa: _, dono: __, nota: ___, ...detalhes } = evento.detalhes
  return { ...evento, detalhes, crop_url: null, clip_url: null }
}
