import { ScrollArea } from '@mantine/core'
import { type CSSProperties, Fragment, type ReactNode, useMemo } from 'react'
import classes from './table.module.css'
import { useLongList, useWindowed } from './use-windowed.ts'

interface RecordTableProps<T> {
  readonly label: string
  /** Heading of each column, by its key. */
  readonly columns: readonly (readonly [key: string, heading: string])[]
  readonly rows: readonly T[]
  /** The same function in each render. */
  readonly keyOf: (row: T) => string | number
  /** Whether each column after the first holds numbers. */
  readonly numbers?: boolean
  /** Cells of a row: a heading with scope `row`, then one for each further column. */
  readonly children: (row: T) => ReactNode
}

/** First estimate of a line, px. */
const LINE_PX = { wide: 42, phone: 26 }
/** Widest table on a phone, px. */
const PHONE_PX = 767

/**
 * Table of records, each in one line. Only the rows near the window are in the page. A phone shows the cells of a row
 * one below the other, each with the heading of its column.
 */
export function RecordTable<T>({ label, columns, rows, keyOf, numbers = false, children }: RecordTableProps<T>) {
  const list = useLongList()
  const isStacked = list.width <= PHONE_PX && !numbers
  const rowPx = isStacked ? LINE_PX.phone * columns.length : LINE_PX.wide
  const windowed = useMemo(() => rows.map((row) => ({ key: keyOf(row), height: rowPx })), [rows, keyOf, rowPx])
  const { virtualizer, items, height } = useWindowed(windowed, list)
  const blank = (px: number) =>
    px > 0 && (
      <tr>
        <td colSpan={columns.length} style={{ height: px, padding: 0, border: 0 }} />
      </tr>
    )
  const end = items.at(-1)?.end ?? list.top
  return (
    <div ref={list.container}>
      <ScrollArea className={classes.scroll ?? ''} viewportProps={{ role: 'region', tabIndex: 0, 'aria-label': label }}>
        <table
          className={classes.table}
          data-kind={numbers ? 'numbers' : 'records'}
          aria-rowcount={rows.length + 1}
          style={headingsOf(columns)}
        >
          <thead>
            <tr>
              {columns.map(([key, heading]) => (
                <th key={key} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(({ key, index, start }, i) => {
              const row = rows[index]
              return (
                <Fragment key={String(key)}>
                  {blank(start - (items[i - 1]?.end ?? list.top))}
                  <tr
                    ref={virtualizer.measureElement}
                    data-index={index}
                    data-row={String(key)}
                    aria-rowindex={index + 2}
                  >
                    {row !== undefined && children(row)}
                  </tr>
                </Fragment>
              )
            })}
            {blank(list.top + height - end)}
          </tbody>
        </table>
      </ScrollArea>
    </div>
  )
}

/** The headings for the stylesheet of a phone: `--heading-2` is that of the second column, as a string of CSS. */
const headingsOf = (columns: RecordTableProps<unknown>['columns']): CSSProperties =>
  Object.fromEntries(columns.map(([, heading], i) => [`--heading-${i + 1}`, JSON.stringify(heading)]))
