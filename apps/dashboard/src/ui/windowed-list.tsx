import { type ReactNode, useMemo } from 'react'
import { useLongList, useWindowed } from './use-windowed.ts'
import classes from './windowed-list.module.css'

interface WindowedListProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  /** The same function in each render. */
  readonly keyOf: (row: T) => string | number
  /** First estimate of the height of a row, px. */
  readonly rowPx: number
  readonly children: (row: T) => ReactNode
}

/** List of rows, one below the other. Only those near the window are in the page. */
export function WindowedList<T>({ label, rows, keyOf, rowPx, children }: WindowedListProps<T>) {
  const list = useLongList()
  const windowed = useMemo(() => rows.map((row) => ({ key: keyOf(row), height: rowPx })), [rows, keyOf, rowPx])
  const { virtualizer, items, height } = useWindowed(windowed, list)
  return (
    <div ref={list.container} className={classes.list} style={{ height }}>
      <ul aria-label={label}>
        {items.map(({ key, index, start }) => {
          const row = rows[index]
          return (
            <li
              key={String(key)}
              ref={virtualizer.measureElement}
              data-index={index}
              data-row={String(key)}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className={classes.row}
              style={{ top: start - list.top }}
            >
              {row !== undefined && children(row)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
