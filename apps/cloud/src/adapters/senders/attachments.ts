import { jsonBelow } from '../base-path.ts'
import type { Mensagem, MensagemEvento, MensagemFimIncidente, MensagemIncidente } from './interface.ts'

/** Pictures of eventos, by evento id. */
export interface PictureSource {
  /**
   * JPEG; null: the evento has no picture any more.
   * @param boxed whether the boxes of the evento are drawn on the whole frame
   */
  read(eventoId: number, boxed: boolean): Promise<Buffer | null>
  /** Path of the same picture that is valid without a session for seven days; null: no picture. */
  signedPath(eventoId: number): Promise<string | null>
}

/** Link and picture of a notification, resolved at each attempt, so that a late delivery has a fresh address. */
export interface Attachments {
  /** Public address of the installation; null: not set. */
  readonly origin: string | null
  /** Absolute address of the subject on the dashboard; null without an origin. */
  link(mensagem: Mensagem): string | null
  /** JSON text for programs. */
  json(value: object): string
  /** JPEG for a program; null: the message has no picture. */
  picture(mensagem: Mensagem): Promise<Buffer | null>
  /** The same for people, with the boxes of the evento drawn on the whole frame. */
  boxedPicture(mensagem: Mensagem): Promise<Buffer | null>
  /** Absolute signed address of the picture; null: without an origin or a picture. */
  pictureUrl(mensagem: Mensagem): Promise<string | null>
}

/** @param origin VIGIA_URL_PUBLICA with its path, without a final slash */
export function createAttachments(origin: string | null, pictures: PictureSource): Attachments {
  const read = async (mensagem: Mensagem, boxed: boolean) => {
    const eventoId = eventoOf(mensagem)
    return eventoId === null ? null : pictures.read(eventoId, boxed)
  }
  return {
    origin,
    json: jsonBelow(origin === null ? '' : new URL(origin).pathname.replace(/\/$/, '')),
    link: (mensagem) => (origin === null ? null : origin + pathOf(mensagem)),
    picture: (mensagem) => read(mensagem, false),
    boxedPicture: (mensagem) => read(mensagem, true),
    async pictureUrl(mensagem) {
      const eventoId = eventoOf(mensagem)
      const path = eventoId === null || origin === null ? null : await pictures.signedPath(eventoId)
      return path === null ? null : origin + path
    },
  }
}

/** Page of the dashboard about the subject of a message. */
function pathOf(mensagem: Mensagem): string {
  if ('queda' in mensagem) return '/quedas'
  if ('aviso' in mensagem) return '/empresas'
  if (mensagem.tipo === 'teste') return '/canais'
  if ('passagem' in mensagem) return '/passagens'
  if (mensagem.tipo === 'resumo') return '/linha-do-tempo'
  const { id, incidente_id } = shownEvento(mensagem)
  return incidente_id === null ? `/eventos/${id}` : `/incidentes/${incidente_id}`
}

/** Evento whose picture a message shows; null: none. */
function eventoOf(mensagem: Mensagem): number | null {
  if (mensagem.semImagem) return null
  if ('queda' in mensagem || 'passagem' in mensagem || 'aviso' in mensagem) return null
  return mensagem.tipo === 'teste' || mensagem.tipo === 'resumo' ? null : shownEvento(mensagem).id
}

const shownEvento = (mensagem: MensagemEvento | MensagemIncidente | MensagemFimIncidente) =>
  'capa' in mensagem ? mensagem.capa : mensagem.evento
