import { VisuallyHidden } from '@mantine/core'
import classes from './meter.module.css'

/** Share from which a meter is shown as an alarm. */
const FULL = 0.9

export interface MeterProps {
  readonly label: string
  /** 0–1; null: unknown. */
  readonly share: number | null
  /** Text beside the label: the amounts, or a note that there is no measurement. */
  readonly text: string
}

/** A used share as a bar and as text. */
export function Meter({ label, share, text }: MeterProps) {
  return (
    <div className={classes.meter} data-full={(share !== null && share >= FULL) || undefined}>
      <p className={classes.label}>
        <span>{label}</span>
        <span className={classes.text}>{text}</span>
      </p>
      {share !== null && (
        <>
          <VisuallyHidden>
            <meter aria-label={label} aria-valuetext={`${Math.round(share * 100)}%, ${text}`} value={share} />
          </VisuallyHidden>
          {/* Browser engines draw <meter> differently and ignore styles, so the bar is a <div>. */}
          <div className={classes.bar} aria-hidden="true">
            <div style={{ width: `${share * 100}%` }} />
          </div>
        </>
      )}
    </div>
  )
}
