import type { ReactNode } from 'react'
import type { Span } from './hour-view.ts'

export interface HourBarProps {
  readonly label: string
  /** `at` in words. */
  readonly valueText: string
  /** Id of the sentence that explains the keys. */
  readonly hint?: string
  readonly className?: string | undefined
  readonly whole: Span
  /** Part of the whole that the bar shows. */
  readonly view: Span
  readonly onView: (view: Span) => void
  /** Instants that the arrow keys and the pointer stop at, ascending; without them the arrow keys move by a minute. */
  readonly stops?: readonly number[]
  /** Instant of the cursor, epoch ms; null: none. */
  readonly at: number | null
  /** The keys moved the cursor. */
  readonly onMove: (at: number) => void
  /** A resting pointer shows an instant; null: it left, or the focus did. */
  readonly onHover?: (at: number | null) => void
  /** A click or Enter. */
  readonly onChoose: (at: number) => void
  /** Part that was drawn on the bar; null: none. */
  readonly span: Span | null
  readonly onSpan: (span: Span | null) => void
  /** Marks. */
  readonly children: ReactNode
}
