import { IconPhotoOff } from '@tabler/icons-react'
import type { Evento } from '@vigia/contracts/eventos'
import type { Zonas } from '@vigia/contracts/geometria'
import { ia } from '@vigia/contracts/ias'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { BoxedPicture, NoPicture, PictureArea, PlainPicture } from '../../../ui/boxed-picture.tsx'
import classes from './evento-frame.module.css'
import { trackOf } from './track.ts'
import { zoneOutline } from './zone-outline.ts'

interface EventoFrameProps {
  readonly evento: Evento
  /** Zones of the camera now; they may have changed since the event. */
  readonly zonas: Zonas
}

/** The whole frame of an event with zone, boxes, path and time, and the crop as an inset. */
export function EventoFrame({ evento, zonas }: EventoFrameProps) {
  const { t } = useTranslation()
  // The picture of a passage is the only one of its events.
  const hasOnlyCrop = ia(evento.tipo).modelo === 'placas'
  const [failed, setFailed] = useState<'nenhum' | 'quadro' | 'recorte'>(hasOnlyCrop ? 'quadro' : 'nenhum')
  const { crop_url } = evento
  if (crop_url === null || failed === 'recorte') {
    return (
      <PictureArea>
        <NoPicture>
          <IconPhotoOff size={28} aria-hidden="true" />
          <span>{t('plantao.incidente.semQuadro')}</span>
        </NoPicture>
      </PictureArea>
    )
  }
  if (failed === 'quadro') {
    return (
      <PictureArea>
        <PlainPicture src={crop_url} alt={t('plantao.incidente.recorte')} onError={() => setFailed('recorte')} />
      </PictureArea>
    )
  }
  return (
    <PictureArea>
      <Whole evento={evento} url={crop_url} zonas={zonas} onError={() => setFailed('quadro')} />
    </PictureArea>
  )
}

interface WholeProps extends EventoFrameProps {
  /** Address of the crop. */
  readonly url: string
  readonly onError: () => void
}

function Whole({ evento, url, zonas, onError }: WholeProps) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(evento.empresa_id)
  const when = useWhen()
  return (
    <BoxedPicture
      src={`${url}?imagem=quadro`}
      alt={t('plantao.incidente.quadro', { camera: evento.camera_nome })}
      rectangles={evento.caixas}
      outline={zoneOutline(zonas, evento.zona)}
      path={trackOf(evento)}
      onError={onError}
    >
      <time className={classes.time} dateTime={evento.ocorrido_em}>
        {when({ em: evento.ocorrido_em, incerta: evento.hora_incerta }, fuso, formatFull)}
      </time>
      <Crop key={evento.id} evento={evento} url={url} />
    </BoxedPicture>
  )
}

/** Narrowest share of the frame that a detection has before its inset is no help. */
const LARGE_SHARE = 0.6

function Crop({ evento, url }: { evento: Evento; url: string }) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  const [caixa] = evento.caixas
  if (failed || (caixa && caixa.w > LARGE_SHARE && caixa.h > LARGE_SHARE)) return null
  // The inset covers the corner that is farther from the detection.
  const side = caixa && caixa.x + caixa.w / 2 > 0.5 ? 'left' : 'right'
  return (
    <img
      className={classes.crop}
      data-side={side}
      src={url}
      alt={t('plantao.incidente.recorte')}
      decoding="async"
      onError={() => setFailed(true)}
    />
  )
}
