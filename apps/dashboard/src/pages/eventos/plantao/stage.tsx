import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import type { Incidente, IncidenteDetalhe } from '@vigia/contracts/incidentes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatAge, formatClock, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { useIncidenteWords } from '../../../domains/eventos/alertas/use-verdict-words.ts'
import { PlateFacts } from '../../../domains/eventos/incidentes/plate-facts.tsx'
import { useZoneName } from '../../../domains/eventos/incidentes/zone-name.ts'
import { useIncidenteTitle } from '../../../live/incidente-title.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { useWide } from '../../../ui/use-wide.ts'
import { EventoPane } from './evento-pane.tsx'
import { LivePane } from './live-pane.tsx'
import classes from './stage.module.css'

interface StageProps {
  readonly incidente: Incidente
  /** undefined: not loaded yet. */
  readonly detalhe: IncidenteDetalhe | undefined
  /** undefined: the camera was removed. */
  readonly camera: Camera | undefined
}

/** The event beside the live picture of its camera. A phone shows only the event. */
export function Stage({ incidente, detalhe, camera }: StageProps) {
  const { t } = useTranslation()
  const wide = useWide()
  const { nome, fuso } = useEmpresa(incidente.empresa_id)
  const titulo = useIncidenteTitle()(incidente)
  const cover = detalhe?.lista.find(({ id }) => id === incidente.capa_evento_id)
  const first = detalhe?.lista[0]
  const where = [incidente.camera_nome, nome].filter(Boolean).join(' · ')
  return (
    <div className={classes.stage}>
      <div className={classes.head}>
        <SeverityTag gravidade={incidente.gravidade} />
        <h2 id="incidente-escolhido" className={classes.title}>
          {titulo}
        </h2>
        <PlateFacts placa={incidente.placa ?? null} />
        <span className={classes.camera} title={where}>
          <span>{incidente.camera_nome}</span>
          {nome !== null && ` · ${nome}`}
        </span>
        <Link to="/incidentes/$id" params={{ id: incidente.id }} className={classes.open}>
          {t('plantao.incidente.abrir')}
        </Link>
      </div>
      <div className={classes.panes}>
        <div className={classes.pair}>
          <div className={classes.frame}>{cover && <EventoPane key={cover.id} evento={cover} camera={camera} />}</div>
          {wide && <LivePane camera={camera} caption={t('plantao.camera.agora')} />}
          {cover && first && first.id !== cover.id && (
            <FirstPicture key={first.id} evento={first} cover={cover} fuso={fuso} />
          )}
        </div>
      </div>
      <Facts incidente={incidente} cover={cover} camera={camera} fuso={fuso} />
    </div>
  )
}

interface FactsProps extends Pick<StageProps, 'incidente' | 'camera'> {
  readonly cover: Evento | undefined
  readonly fuso: Fuso
}

/** Times, verdict and zone, in three lines whatever they contain. */
function Facts({ incidente, cover, camera, fuso }: FactsProps) {
  const { t } = useTranslation()
  const words = useIncidenteWords()(incidente)
  const nameOfZone = useZoneName()
  const now = useNow()
  const when = useWhen()
  const { eventos, hora_incerta, inicio, fim } = incidente
  const [from = '', to] = [...new Set([formatClock(inicio, fuso), formatClock(fim, fuso)])]
  const span = to === undefined ? from : t('plantao.incidente.de', { inicio: from, fim: to })
  const moment = (iso: string, zone: Fuso) => formatMoment(iso, now, zone)
  const zona = typeof cover?.zona === 'number' ? nameOfZone(camera, cover.zona) : ''
  return (
    <p className={classes.facts}>
      <span>
        {hora_incerta ? when({ em: inicio, incerta: hora_incerta }, fuso, moment) : span}
        {' · '}
        {t('plantao.incidente.eventos', { count: eventos })}
        {!hora_incerta && ` · ${t('plantao.incidente.visto', { idade: formatAge(fim, now) })}`}
      </span>
      <span title={words}>{words}</span>
      <span title={zona}>{zona}</span>
    </p>
  )
}

interface FirstPictureProps {
  readonly evento: Evento
  readonly cover: Evento
  readonly fuso: Fuso
}

/** The picture with which the incidente began, small, away from the detection of its gravest event. */
function FirstPicture({ evento: { crop_url, ocorrido_em }, cover, fuso }: FirstPictureProps) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  if (crop_url === null || failed) return null
  const [caixa] = cover.caixas
  const side = caixa && caixa.x + caixa.w / 2 > 0.5 ? 'left' : 'right'
  return (
    <figure className={classes.first} data-side={side}>
      <img src={crop_url} alt="" decoding="async" onError={() => setFailed(true)} />
      <figcaption>{t('plantao.incidente.primeira', { hora: formatClock(ocorrido_em, fuso) })}</figcaption>
    </figure>
  )
}
