import type { HoraIncerta } from '@vigia/contracts/hora-incerta'
import { useTranslation } from 'react-i18next'
import { type Fuso, foreignZone, formatClock, formatMoment, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import classes from './alerta-time.module.css'

interface AlertaTimeProps {
  readonly iso: string
  readonly fuso: Fuso
  /** Interval of a time that nobody knows. */
  readonly incerta?: HoraIncerta | undefined
}

/** Time of the event in the time zone of the site, and its age. The zone is named if it differs from the browser's. */
export function AlertaTime({ iso, fuso, incerta }: AlertaTimeProps) {
  const { t } = useTranslation()
  const now = useNow()
  if (incerta) {
    const at = (bound: string) => formatMoment(bound, now, fuso)
    return (
      <time className={classes.time} dateTime={iso}>
        <span className={classes.clock}>{t('horaIncerta.curta')}</span>
        <span className={classes.age}>{t('horaIncerta.intervalo', { de: at(incerta.de), ate: at(incerta.ate) })}</span>
      </time>
    )
  }
  const zone = foreignZone(iso, fuso)
  return (
    <time className={classes.time} dateTime={iso}>
      <span className={classes.clock}>
        {formatClock(iso, fuso)}
        {zone && <span className={classes.age}> {zone}</span>}
      </span>
      <span className={classes.age}>{formatWhen(iso, now, fuso)}</span>
    </time>
  )
}
