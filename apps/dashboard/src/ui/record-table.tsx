import { ScrollArea } from '@mantine/core'
import { Fragment, type ReactNode, useMemo } from 'react'
import classes from './table.module.css'
import { useLongList, useWindowed } from './use-windowed.ts'

interface RecordTableProps<T> {
  readonly label: string
  /** Heading of each column, by its key. */
  readonly columns: readonly (readonly [key: string, heading: string])[]
  readonly rows: readonly T[]
  /** The same function in each render. */
  readonly keyOf: (row: T) => string | number
  /** Cells of a row: a heading with scope `row`, then one for each further column. */
  readonly children: (row: T) => ReactNode
}

/** First estimate of a row, px. */
const ROW_PX = 42

/** Table of records, each in one line. Only the rows near the window are in the page. */
export function RecordTable<T>({ label, columns, rows, keyOf, children }: RecordTableProps<T>) {
  const list = useLongList()
  const windowed = useMemo(() => rows.map((row) => ({ key: keyOf(row), height: ROW_PX })), [rows, keyOf])
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
        <table className={classes.table} data-records aria-rowcount={rows.length + 1}>
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
