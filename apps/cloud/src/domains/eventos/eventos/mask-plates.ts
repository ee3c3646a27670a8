import { VigiaError } from '@vigia/contracts/errors'
import { type Evento, type EventoDetalhe, eventoSchema } from '@vigia/contracts/eventos'
import { ia } from '@vigia/contracts/ias'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { EventoRow } from '../../../db/rows.ts'
import { hidesPlatesOf, type Login, requirePlates, requirePlatesOf } from '../../../http/caller.ts'

type Viewer = Pick<Login, 'placasOcultas'>

/**
 * Whether the plate of an event is hidden from a login. Plates are personal data: the login sees neither their text nor
 * a picture or clip of them.
 */
export const hidesPlate = (login: Viewer, { tipo, empresa_id }: Pick<Evento, 'tipo' | 'empresa_id'>): boolean =>
  hidesPlatesOf(login, empresa_id) && ia(tipo).modelo === 'placas'

/** Leaves the first three symbols, which several thousand vehicles share: `ABC****`. */
const maskText = (placa: string): string => placa.slice(0, 3).padEnd(placa.length, '*')

/** Returns the event as this login may see it. */
export function viewFor<T extends Evento>(login: Viewer, evento: T): T {
  if (!hidesPlate(login, evento)) return evento
  const { placa, dono: _, nota: __, ...detalhes } = evento.detalhes
  return {
    ...evento,
    detalhes: { ...detalhes, ...(typeof placa === 'string' && { placa: maskText(placa) }) },
    crop_url: null,
    clip_url: null,
    ...('clip_estado' in evento && withoutMedia),
  }
}

/** Returns the incidente as this login may see it. */
export const incidenteFor = (login: Viewer, incidente: Incidente): Incidente =>
  incidente.placa && hidesPlatesOf(login, incidente.empresa_id)
    ? { ...incidente, placa: { texto: maskText(incidente.placa.texto), lista: incidente.placa.lista } }
    : incidente

/** Fields of `EventoDetalhe` about its pictures and clip. */
const withoutMedia = {
  crop_path: null,
  evidencias: [],
  strip_url: null,
  clip_deslocamento_ms: null,
  clip_estado: 'nunca',
  clip_detalhe: 'Sem clipe: este login não vê placas de veículos.',
} satisfies Partial<EventoDetalhe>

/** @throws VigiaError `proibido` if pictures and clip of this event show a plate that the login may not see */
export function requirePlateMedia(login: Viewer, { tipo, empresa_id }: Pick<EventoRow, 'tipo' | 'empresa_id'>): void {
  if (hidesPlate(login, { tipo: eventoSchema.shape.tipo.parse(tipo), empresa_id })) requirePlatesOf(login, empresa_id)
}

/** A plate, or its beginning with the first digit, as one word of a search. */
const PLATE_WORD = /(^|\s)[A-Z]{3}[-.·\s]?\d[A-Z0-9*]{0,3}(?=\s|$)/i

/**
 * @param empresaId the Empresa of the search; undefined: all in scope
 * @throws VigiaError `proibido` if the words of a search name a plate and an Empresa of it hides plates from the login
 */
export function requirePlateSearch(login: Viewer, texto: string | undefined, empresaId: number | undefined): void {
  if (texto === undefined || !PLATE_WORD.test(texto)) return
  requirePlates(login)
  const hidden = login.placasOcultas
  if (hidden !== 'tudo' && (empresaId === undefined ? hidden.size > 0 : hidden.has(empresaId)))
    throw new VigiaError('proibido', {
      detalhe:
        'Uma Empresa desta busca esconde as placas deste login. Escolha outra Empresa, ou tire a placa do texto.',
    })
}
