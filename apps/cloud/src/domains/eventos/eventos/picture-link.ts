import { VigiaError } from '@vigia/contracts/errors'
import type { ImagemEvento } from '@vigia/contracts/eventos'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { type DescartadoRow, findDescartado } from '../../../db/descartados.ts'
import { findEvent } from '../../../db/eventos.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { notFound } from '../../../http/caller.ts'
import { isUnmasked } from '../../../scope/unmasked.ts'
import { readPicture } from './get-evento.ts'

interface LinkDeps {
  readonly clock: Clock
  readonly box: SecretBox
}

export const PICTURE_LINK_PATH = '/api/v1/imagens'
const PURPOSE = 'eventos/imagem'
const SUFFIX = '.jpg'
const LINK_MS = 7 * 86_400_000

const linkSchema = z.object({ id: z.int(), imagem: z.enum(['crop', 'quadro', 'descartado']), ate: z.int() })

type Pictures = Pick<EventoRow, 'crop_path' | 'quadro_path'>

/** The picture of an event that messages show; null: the event has none. */
export const shownPicture = ({ crop_path, quadro_path }: Pictures): ImagemEvento | null =>
  quadro_path === null ? (crop_path === null ? null : 'crop') : 'quadro'

/**
 * Returns the address of one picture, relative to the host. Valid without a session for seven days, for messages on
 * devices whose session has ended. null: the event has no picture. WhatsApp requires the file type in the address.
 */
export function signPicture({ clock, box }: LinkDeps, row: Pictures & Pick<EventoRow, 'id'>): string | null {
  const imagem = shownPicture(row)
  if (imagem === null) return null
  const link: z.infer<typeof linkSchema> = { id: row.id, imagem, ate: clock.now() + LINK_MS }
  return `${PICTURE_LINK_PATH}/${box.seal(JSON.stringify(link), PURPOSE)}${SUFFIX}`
}

/** Time for which the page of a simulation stays open. */
const DESCARTADO_LINK_MS = 3_600_000

/** The address of the picture of a discarded candidate, as above, for one hour. null: it has none. */
export function signDescartado({ clock, box }: LinkDeps, row: Pick<DescartadoRow, 'id' | 'caminho'>): string | null {
  if (row.caminho === null) return null
  const link: z.infer<typeof linkSchema> = {
    id: row.id,
    imagem: 'descartado',
    ate: clock.now() + DESCARTADO_LINK_MS,
  }
  return `${PICTURE_LINK_PATH}/${box.seal(JSON.stringify(link), PURPOSE)}${SUFFIX}`
}

/**
 * Reads the picture of a signed address.
 * @throws VigiaError `nao_encontrado` (no address of this installation), `removido` (expired, picture deleted)
 */
export async function getSignedPicture(
  { db, media, clock, box }: LinkDeps & { readonly db: Database; readonly media: MediaStore },
  assinatura: string,
): Promise<Buffer> {
  const link = openLink(box, assinatura)
  if (!link) throw notFound('Este endereço de imagem não existe. Abra o evento no painel.')
  if (link.ate <= clock.now()) throw expired()
  const { imagem } = link
  if (imagem === 'descartado')
    return readPicture(media, 'crop', async () => {
      const row = await findDescartado(db, link.id)
      if (!row?.caminho) throw removed()
      return { crop_path: row.caminho, quadro_path: null }
    })
  return readPicture(media, imagem, async () => {
    const row = await findEvent(db, link.id, null)
    if (!row || shownPicture(row) === null) throw removed()
    if (await isUnmasked(db, row.camera_id, row))
      throw notFound('Esta imagem é de antes de a caixa aplicar as máscaras da câmera. Abra o evento no painel.')
    return row
  })
}

const expired = () =>
  new VigiaError('removido', { detalhe: 'Este endereço de imagem não vale mais. Abra o evento no painel.' })

const removed = () =>
  new VigiaError('removido', {
    detalhe: 'Esta imagem foi apagada pelo prazo de guarda. Se precisar dela, procure a cópia exportada.',
  })

function openLink(box: SecretBox, sealed: string) {
  try {
    // Addresses of earlier releases have no suffix.
    return linkSchema.parse(JSON.parse(box.open(sealed.replace(/\.jpg$/, ''), PURPOSE)))
  } catch {
    return null
  }
}
