import { IconPhotoOff } from '@tabler/icons-react'
import type { Evento } from '@vigia/contracts/eventos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import classes from './evento-picture.module.css'

/**
 * Shows the whole crop at any aspect ratio: a person is tall and the card is wide. A blurred copy of the picture fills
 * the rest of the card.
 */
export function EventoPicture({ evento }: { evento: Evento }) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  if (!evento.crop_url || failed) {
    return (
      <div className={classes.none}>
        <IconPhotoOff size={28} aria-hidden="true" />
        <span>{t('camera.eventos.semImagem')}</span>
      </div>
    )
  }
  const titulo = textsOfIa(evento.tipo).titulo
  return (
    <div className={classes.picture}>
      <img className={classes.ground} src={evento.crop_url} alt="" loading="lazy" decoding="async" />
      <img
        className={classes.crop}
        src={evento.crop_url}
        alt={t('camera.eventos.imagem', { titulo, camera: evento.camera_nome })}
        loading="lazy"
        decoding="async"
        onError={() => setFailed(true)}
      />
    </div>
  )
}
