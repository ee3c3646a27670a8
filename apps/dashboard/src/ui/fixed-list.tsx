import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import classes from './fixed-list.module.css'
import { useFocusedRow } from './use-focused-row.ts'

interface FixedListProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string | number
  /** Height of each row. */
  readonly rowRem: number
  /** Whether it scrolls by itself, in a column of the page; otherwise the document scrolls. */
  readonly scrolls: boolean
  /** Index of the row that comes into view when it changes; -1: none. */
  readonly current: number
  readonly children: (row: T) => ReactNode
}

/** Rows beyond the edges of the window that are in the page: Tab finds its next button there. */
const OVERSCAN = 3
/** Rows before the first measurement. */
const FIRST = 12

const pxPerRem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Long list whose rows have one height. Only the rows near the window are in the page. */
export function FixedList<T>({ label, rows, keyOf, rowRem, scrolls, current, children }: FixedListProps<T>) {
  const pane = useRef<HTMLDivElement>(null)
  const { from, to } = useNear(pane, rowRem, scrolls)
  const focused = useFocusedRow(pane)
  useEffect(() => {
    const element = pane.current
    if (!element || !scrolls || current < 0) return
    const row = rowRem * pxPerRem()
    const top = current * row
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + row > element.scrollTop + element.clientHeight) element.scrollTop = top + row - element.clientHeight
  }, [current, rowRem, scrolls])
  const items = rows.map((row, index) => ({ row, index, key: String(keyOf(row)) }))
  const shown = items.filter(({ index, key }) => (index >= from && index < to) || key === focused)
  return (
    <div ref={pane} className={scrolls ? classes.pane : undefined}>
      <ul aria-label={label} className={classes.list} style={{ height: `${rows.length * rowRem}rem` }}>
        {shown.map(({ row, index, key }) => (
          <li
            key={key}
            data-row={key}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ top: `${index * rowRem}rem`, height: `${rowRem}rem` }}
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Indices of the rows near the window: from the first one to the one after the last. */
function useNear(pane: { readonly current: HTMLElement | null }, rowRem: number, scrolls: boolean) {
  const [near, setNear] = useState({ from: 0, to: FIRST })
  useLayoutEffect(() => {
    const element = pane.current
    if (!element) return
    const measure = () => {
      const row = rowRem * pxPerRem()
      const top = scrolls ? element.scrollTop : Math.max(0, -element.getBoundingClientRect().top)
      const height = scrolls ? element.clientHeight : innerHeight
      const from = Math.max(0, Math.floor(top / row) - OVERSCAN)
      const to = Math.ceil((top + height) / row) + OVERSCAN
      setNear((before) => (before.from === from && before.to === to ? before : { from, to }))
    }
    measure()
    const scroller = scrolls ? element : window
    scroller.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    for (const one of [element, document.body]) observer.observe(one)
    return () => {
      scroller.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [pane, rowRem, scrolls])
  return near
}
