import { IconPhotoOff } from '@tabler/icons-react'
import type { Evento } from '@vigia/contracts/eventos'
import type { Zonas } from '@vigia/contracts/geometria'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
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
  const [failed, setFailed] = useState<'nenhum' | 'quadro' | 'recorte'>('nenhum')
  const { crop_url } = evento
  if (crop_url === null || failed === 'recorte') {
    return (
      <div className={classes.area}>
        <div className={classes.none}>
          <IconPhotoOff size={28} aria-hidden="true" />
          <span>{t('plantao.incidente.semQuadro')}</span>
        </div>
      </div>
    )
  }
  if (failed === 'quadro') {
    return (
      <div className={classes.area}>
        <img
          className={classes.whole}
          src={crop_url}
          alt={t('plantao.incidente.recorte')}
          onError={() => setFailed('recorte')}
        />
      </div>
    )
  }
  return (
    <div className={classes.area}>
      <Whole evento={evento} url={crop_url} zonas={zonas} onError={() => setFailed('quadro')} />
    </div>
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
  /** Width divided by height; null: not loaded yet. */
  const [shape, setShape] = useState<number | null>(null)
  const outline = zoneOutline(zonas, evento.zona)
  const track = trackOf(evento)
  return (
    <div className={classes.frame} style={shape === null ? undefined : { ['--shape' as string]: shape }}>
      <img
        className={classes.whole}
        src={`${url}?imagem=quadro`}
        alt={t('plantao.incidente.quadro', { camera: evento.camera_nome })}
        decoding="async"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setShape(naturalWidth / naturalHeight)}
        onError={onError}
      />
      {shape !== null && (
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {outline !== null && <polygon points={outline} />}
          {track !== null && <polyline points={track} />}
          {evento.caixas.map(({ rotulo, x, y, w, h }, index) => (
            <rect key={rectKey(rotulo, index)} x={x} y={y} width={w} height={h} />
          ))}
        </svg>
      )}
      <time className={classes.time} dateTime={evento.ocorrido_em}>
        {formatFull(evento.ocorrido_em, fuso)}
      </time>
      <Crop key={evento.id} evento={evento} url={url} />
    </div>
  )
}

/** Boxes have no id and never change, so that their index is a stable key. */
const rectKey = (rotulo: string, index: number): string => `${index}-${rotulo}`

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
