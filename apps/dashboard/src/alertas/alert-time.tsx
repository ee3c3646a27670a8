import { type Fuso, foreignZone, formatClock, formatWhen } from '../tempo/format-time.ts'
import { useNow } from '../tempo/use-now.ts'
import classes from './alert-time.module.css'

/** When it happened, by the clock of the place (named when it is another than the reader's), and how long ago. */
export function AlertTime({ iso, fuso }: { iso: string; fuso: Fuso }) {
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
