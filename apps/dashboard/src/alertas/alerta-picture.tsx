import { IconPhotoOff } from '@tabler/icons-react'
import type { Evento } from '@vigia/contracts/eventos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../texts/ia-texts.ts'
import classes from './alerta-picture.module.css'

/**
 * Shows the whole crop at any aspect ratio: a person is tall and the card is wide. A blurred copy of the picture fills
 * the rest of the card.
 */
export function AlertaPicture({ evento, eager = false }: { evento: Evento; eager?: boolean }) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  if (!evento.crop_url || failed) {
    return (
      <div className={classes.none}>
        <IconPhotoOff size={28} aria-hidden="true" />
        <span>{t('alertas.semImagem')}</span>
      </div>
    )
  }
  const loading = eager ? 'eager' : 'lazy'
  const titulo = textsOfIa(evento.tipo).titulo
  return (
    <div className={classes.picture}>
      <img className={classes.ground} src={evento.crop_url} alt="" loading={loading} decoding="async" />
      <img
        className={classes.crop}
        src={evento.crop_url}
        alt={t('alertas.imagem', { titulo, camera: evento.camera_nome })}
        loading={loading}
        decoding="async"
        onError={() => setFailed(true)}
      />
    </div>
  )
}
