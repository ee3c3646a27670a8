import { type Span, ticksOf } from '../../../ui/hour-view.ts'
import { LegendSample } from '../../../ui/legend.tsx'
import classes from './day-marks.module.css'
import { type DayMark, type Kind, linesOf, pathsOf, WIDTH } from './day-paths.ts'

/** Most lines of full hours, or of parts of an hour. */
const LINES = 24

interface DayMarksProps {
  readonly marks: readonly DayMark[]
  readonly whole: Span
  readonly view: Span
  readonly now: number
  /** Only the bottom of the bar. */
  readonly isLane?: boolean
}

/** The marks of a bar: one path for each kind, however many there are. Screen readers use the list of the page. */
export function DayMarks({ marks, whole, view, now, isLane }: DayMarksProps) {
  return (
    <svg
      className={classes.marks}
      data-lane={isLane}
      viewBox={`0 0 ${WIDTH} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {!isLane && <path className={classes.hours} d={linesOf(ticksOf(view, whole, LINES), view)} />}
      {pathsOf(marks, view, now).map(({ kind, d }) => (
        <path key={kind} data-kind={kind} d={d} />
      ))}
    </svg>
  )
}

/** Colour of a kind in a legend. */
export const KindSample = ({ kind }: { readonly kind: Kind }) => (
  <LegendSample className={classes.sample} data-kind={kind} aria-hidden="true" />
)
