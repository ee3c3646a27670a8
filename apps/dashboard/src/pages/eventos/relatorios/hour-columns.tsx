import type { Relatorio } from '@vigia/contracts/relatorios'
import classes from './relatorios.module.css'

/** The 24 hours as columns. The table behind it repeats the numbers. */
export function HourColumns({ rows }: { rows: Relatorio['por_hora'] }) {
  const most = Math.max(1, ...rows.map(({ eventos }) => eventos))
  return (
    <div className={classes.columns} aria-hidden="true">
      {rows.map(({ hora, eventos }) => (
        <div key={hora} className={classes.column}>
          <div className={classes.pair}>
            <span className={classes.now} style={{ blockSize: `${(eventos / most) * 100}%` }} />
          </div>
          <small>{hora % 6 === 0 ? hora : ''}</small>
        </div>
      ))}
    </div>
  )
}
