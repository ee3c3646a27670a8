import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { useFocusedRow } from './use-windowed.ts'
import classes from './windowed-pane.module.css'

interface WindowedPaneProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  /** The same function in each render. */
  readonly keyOf: (row: T) => string | number
  /** First estimate of the height of a row, px. */
  readonly rowPx: number
  /** Index of the row that is scrolled into view when it changes; -1: none. */
  readonly current: number
  readonly children: (row: T) => ReactNode
}

/** List that scrolls by itself in a column of the page. Only the rows near its window are in the page. */
export function WindowedPane<T>({ label, rows, keyOf, rowPx, current, children }: WindowedPaneProps<T>) {
  const pane = useRef<HTMLDivElement>(null)
  const focused = useFocusedRow(pane)
  const kept = focused === null ? -1 : rows.findIndex((row) => String(keyOf(row)) === focused)
  const virtualizer = useVirtualizer({
    count: rows.length,
    overscan: 3,
    getScrollElement: () => pane.current,
    estimateSize: () => rowPx,
    getItemKey: useCallback(
      (index: number) => {
        const row = rows[index]
        return row === undefined ? index : keyOf(row)
      },
      [rows, keyOf],
    ),
    rangeExtractor: (range: Range) => {
      const near = defaultRangeExtractor(range)
      return kept < 0 || near.includes(kept) ? near : [...near, kept].toSorted((a, b) => a - b)
    },
  })
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: 'auto' })
  }, [virtualizer, current])
  return (
    <div ref={pane} className={classes.pane}>
      <ul aria-label={label} className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index]
          return (
            <li
              key={String(key)}
              ref={virtualizer.measureElement}
              data-index={index}
              data-row={String(key)}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ top: start }}
            >
              {row !== undefined && children(row)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
