import type { Gravidade } from '@vigia/contracts/ias'
import { markOf } from '../../../domains/eventos/linha-do-tempo/marks.ts'
import { HourBar } from '../../../ui/hour-bar.tsx'
import classes from './linha.module.css'

interface DayTrackProps {
  readonly marks: readonly {
    readonly key: string
    readonly kind: Gravidade | 'queda' | 'semVigia'
    readonly inicio: string
    readonly fim: string | null
  }[]
  readonly day: { readonly desde: number; readonly ate: number }
  readonly now: number
}

/** The day as a bar with a line every six hours. Screen readers use the list beside it. */
export function DayTrack({ marks, day, now }: DayTrackProps) {
  return (
    <HourBar className={classes.track} aria-hidden="true">
      {marks.map(({ key, kind, inicio, fim }) => {
        const mark = markOf({ inicio, fim }, day, now)
        if (mark === null) return null
        const style = { insetInlineStart: `${mark.start * 100}%`, inlineSize: `${mark.length * 100}%` }
        return <span key={key} className={classes.mark} data-kind={kind} style={style} />
      })}
    </HourBar>
  )
}
