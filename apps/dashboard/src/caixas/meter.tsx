import { VisuallyHidden } from '@mantine/core'
import { FULL } from './box-health.ts'
import classes from './meter.module.css'

export interface MeterProps {
  readonly label: string
  /** 0–1; null: not known. */
  readonly share: number | null
  /** What stands beside the label: the amounts, or that there is no measure. */
  readonly text: string
}

/** How full something is, as a bar and in words. */
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
          {/* Each engine draws a meter otherwise, and none lets itself be talked out of it: the bar is ours. */}
          <div className={classes.bar} aria-hidden="true">
            <div style={{ width: `${share * 100}%` }} />
          </div>
        </>
      )}
    </div>
  )
}
