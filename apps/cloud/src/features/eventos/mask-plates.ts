import { VigiaError } from '@vigia/contracts/errors'
import type { Evento } from '@vigia/contracts/eventos'
import { ia } from '@vigia/contracts/ias'
import type { Login } from '../../http/caller.ts'

const isMasked = ({ papel }: Pick<Login, 'papel'>): boolean => papel === 'usuario'

/**
 * Whether an event's pictures are hidden from a login. Plates are personal data: a `usuario` sees neither their text
 * nor their picture.
 */
export const hidesPlate = (login: Pick<Login, 'papel'>, tipo: Evento['tipo']): boolean =>
  isMasked(login) && ia(tipo).modelo === 'placas'

/** Leaves the first three symbols, which several thousand vehicles share: `ABC****`. */
const maskText = (placa: string): string => placa.slice(0, 3).padEnd(placa.length, '*')

/** Returns the event as this login may see it. */
export function viewFor<T extends Evento>(login: Pick<Login, 'papel'>, evento: T): T {
  if (!hidesPlate(login, evento.tipo)) return evento
  const { placa } = evento.detalhes
  return {
    ...evento,
    detalhes: { ...evento.detalhes, ...(typeof placa === 'string' && { placa: maskText(placa) }) },
    crop_url: null,
    ...('crop_path' in evento && { crop_path: null }),
    ...('evidencias' in evento && { evidencias: [] }),
  }
}

/** @throws VigiaError `proibido` if the pictures of this event show a plate that the login may not see */
export function requirePlatePicture(login: Pick<Login, 'papel'>, tipo: Evento['tipo']): void {
  if (hidesPlate(login, tipo)) throw hidden()
}

/** A plate, or its beginning with the first digit, as one word of a search. */
const PLATE_WORD = /(^|\s)[A-Z]{3}[-.·\s]?\d[A-Z0-9*]{0,3}(?=\s|$)/i

/** @throws VigiaError `proibido` if the words of a search name a plate and the login may not see plates */
export function requirePlateSearch(login: Pick<Login, 'papel'>, texto: string | undefined): void {
  if (isMasked(login) && texto !== undefined && PLATE_WORD.test(texto)) throw hidden()
}

const hidden = () =>
  new VigiaError('proibido', { detalhe: 'Este login não vê placas de veículos. Fale com o administrador.' })
