import { Link } from '@tanstack/react-router'
import type { Evento } from '@vigia/contracts/eventos'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useEmpresa } from '../painel/use-empresa.ts'
import { useServices } from '../services.ts'
import { formatClock } from '../tempo/format-time.ts'
import { useNow } from '../tempo/use-now.ts'
import { textsOfIa } from '../texts/ia-texts.ts'
import classes from './alerta-card.module.css'
import { AlertaPicture } from './alerta-picture.tsx'
import { AlertaTime } from './alerta-time.tsx'
import { SeverityTag } from './severity-tag.tsx'
import { Verdict } from './verdict.tsx'

/** Time for which an alert from the stream is marked as new. */
const NEW_MS = 30_000
/** Delay from which the card marks an alert as late. An edge without connection delivers late. */
const LATE_MS = 60_000

/** Card of one alert: picture, IA, camera, time and verdict. The whole card opens the detail. */
export const AlertaCard = memo(({ evento }: { evento: Evento }) => {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(evento.empresa_id)
  const titulo = textsOfIa(evento.tipo).titulo
  const late = Date.parse(evento.recebido_em) - Date.parse(evento.ocorrido_em) > LATE_MS
  return (
    <article className={classes.card} data-gravidade={evento.gravidade} aria-label={`${titulo}, ${evento.camera_nome}`}>
      <div className={classes.picture}>
        <AlertaPicture evento={evento} />
        <SeverityTag gravidade={evento.gravidade} className={classes.severity} />
        <NewMark id={evento.id} />
      </div>
      <div className={classes.body}>
        <div className={classes.head}>
          <h2 className={classes.title}>
            <Link to="." search={(now) => ({ ...now, alerta: evento.id })} className={classes.open} resetScroll={false}>
              {titulo}
            </Link>
          </h2>
          <AlertaTime iso={evento.ocorrido_em} fuso={fuso} />
        </div>
        <p className={classes.camera}>{evento.camera_nome}</p>
        <Verdict evento={evento} />
        {late && (
          <p className={classes.late}>{t('alertas.atrasado', { hora: formatClock(evento.recebido_em, fuso) })}</p>
        )}
      </div>
    </article>
  )
})

function NewMark({ id }: { id: number }) {
  const { t } = useTranslation()
  const { recent } = useServices()
  const now = useNow()
  const arrived = recent.arrivedAt(id)
  if (arrived === null || now - arrived > NEW_MS) return null
  return <span className={classes.new}>{t('alertas.novo')}</span>
}
