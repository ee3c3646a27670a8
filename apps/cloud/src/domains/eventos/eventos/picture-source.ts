import { VigiaError } from '@vigia/contracts/errors'
import { eventoSchema } from '@vigia/contracts/eventos'
import type { BoxDrawer } from '../../../adapters/box-drawer/box-drawer.ts'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { PictureSource } from '../../../adapters/senders/attachments.ts'
import { findEvent } from '../../../db/eventos.ts'
import type { Database } from '../../../db/open.ts'
import { isUnmasked } from '../../../scope/unmasked.ts'
import { readPicture } from './get-evento.ts'
import { shownPicture, signPicture } from './picture-link.ts'

const { caixas } = eventoSchema.shape

interface SourceDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
  readonly box: SecretBox
  readonly drawer: Pick<BoxDrawer, 'draw'>
}

/** Pictures that messages show: the whole frame, else the crop. */
export const createPictureSource = ({ db, media, clock, box, drawer }: SourceDeps): PictureSource => ({
  async read(eventoId, boxed) {
    const row = await shownEvent(db, eventoId)
    const imagem = row && shownPicture(row)
    if (!imagem) return null
    try {
      const jpeg = await readPicture(media, imagem, async () => (await findEvent(db, eventoId, null)) ?? row)
      // The boxes are fractions of the whole frame.
      return boxed && imagem === 'quadro' ? await drawer.draw(jpeg, caixas.parse(JSON.parse(row.caixas_json))) : jpeg
    } catch (error) {
      if (error instanceof VigiaError && error.code === 'nao_encontrado') return null
      throw error
    }
  },
  async signedPath(eventoId) {
    const row = await shownEvent(db, eventoId)
    return row ? signPicture({ clock, box }, row) : null
  },
})

/** A message reaches people of every role: none shows a picture that its edge has not masked yet. */
async function shownEvent(db: Database, eventoId: number) {
  const row = await findEvent(db, eventoId, null)
  return row && !(await isUnmasked(db, row.camera_id, row)) ? row : null
}
