import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import type { Incidente } from '@vigia/contracts/incidentes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { incidenteQuery } from '../../../api/queries.ts'
import { type Fuso, formatAge, formatClock, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { useIncidenteWords } from '../../../domains/eventos/alertas/use-verdict-words.ts'
import { AnswerBar } from '../../../domains/eventos/incidentes/answer-bar.tsx'
import { AnswerTrace } from '../../../domains/eventos/incidentes/answer-trace.tsx'
import { EventoFrame } from '../../../domains/eventos/incidentes/evento-frame.tsx'
import { PlateFacts } from '../../../domains/eventos/incidentes/plate-facts.tsx'
import { SilenceMark } from '../../../domains/eventos/incidentes/silence-mark.tsx'
import type { Answering } from '../../../domains/eventos/incidentes/use-answer.ts'
import { useZoneName } from '../../../domains/eventos/incidentes/zone-name.ts'
import { useIncidenteTitle } from '../../../live/incidente-title.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import classes from './incidente-panel.module.css'

interface IncidentePanelProps {
  readonly incidente: Incidente
  /** undefined: the camera was removed. */
  readonly camera: Camera | undefined
  readonly answering: Answering
  readonly onNext: () => void
}

/** The selected incidente: the whole frame first, then the answers. */
export function IncidentePanel({ incidente, camera, answering, onNext }: IncidentePanelProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(incidente.empresa_id)
  const titulo = useIncidenteTitle()(incidente)
  const words = useIncidenteWords()(incidente)
  const nameOfZone = useZoneName()
  const { data } = useQuery(incidenteQuery(api, incidente.id))
  const cover = data?.lista.find(({ id }) => id === incidente.capa_evento_id)
  const first = data?.lista[0]
  const { atendimento, eventos, gravidade, hora_incerta, inicio, fim } = incidente
  const clocks = [...new Set([formatClock(inicio, fuso), formatClock(fim, fuso)])]
  const [from = '', to] = clocks
  const span = to === undefined ? from : t('plantao.incidente.de', { inicio: from, fim: to })
  const now = useNow()
  const when = useWhen()
  const moment = (iso: string, zone: Fuso) => formatMoment(iso, now, zone)
  const zona = typeof cover?.zona === 'number' ? nameOfZone(camera, cover.zona) : ''
  return (
    <article className={classes.panel} aria-labelledby="incidente-escolhido">
      <div className={classes.head}>
        <SeverityTag gravidade={gravidade} />
        <h2 id="incidente-escolhido" className={classes.title}>
          {titulo}
        </h2>
        <PlateFacts placa={incidente.placa ?? null} />
        <span className={classes.camera} title={incidente.camera_nome}>
          {incidente.camera_nome}
        </span>
        <Link to="/incidentes/$id" params={{ id: incidente.id }} className={classes.open}>
          {t('plantao.incidente.abrir')}
        </Link>
      </div>
      <div className={classes.frame}>
        {cover && <EventoFrame key={cover.id} evento={cover} zonas={camera?.zonas ?? []} />}
        {first && first.id !== cover?.id && <FirstPicture key={`first ${first.id}`} evento={first} fuso={fuso} />}
      </div>
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
      <div className={classes.trace}>
        {atendimento === null ? (
          <p>{t('plantao.incidente.semResposta')}</p>
        ) : (
          <AnswerTrace atendimento={atendimento} fuso={fuso} />
        )}
        {camera?.silencio && <SilenceMark silencio={camera.silencio} fuso={fuso} />}
      </div>
      <div className={classes.answers}>
        <AnswerBar incidente={incidente} answering={answering} silencio={camera?.silencio} onNext={onNext} />
      </div>
    </article>
  )
}

/** The picture with which the incidente began, small, beside that of its gravest event. */
function FirstPicture({ evento: { crop_url, ocorrido_em }, fuso }: { evento: Evento; fuso: Fuso }) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  if (crop_url === null || failed) return null
  return (
    <figure className={classes.first}>
      <img src={crop_url} alt="" decoding="async" onError={() => setFailed(true)} />
      <figcaption>{t('plantao.incidente.primeira', { hora: formatClock(ocorrido_em, fuso) })}</figcaption>
    </figure>
  )
}
