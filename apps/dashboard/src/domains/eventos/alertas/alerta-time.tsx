import { type Fuso, foreignZone, formatClock, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import classes from './alerta-time.module.css'

/** Time of the event in the time zone of the site, and its age. The zone is named if it differs from the browser's. */
export function AlertaTime({ iso, fuso }: { iso: string; fuso: Fuso }) {
  const now = useNow()
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
