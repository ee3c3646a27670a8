import { type ReactNode, useMemo } from 'react'
import { useLongList, useWindowed } from './use-windowed.ts'
import classes from './windowed-grid.module.css'

interface WindowedGridProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  /** The same function in each render. */
  readonly keyOf: (row: T) => string | number
  /** First estimate of the height of a card, px. */
  readonly cardPx: number
  /** Card of a row. */
  readonly children: (row: T) => ReactNode
}

/** Minimum width of a card, and the space between two cards, rem. */
const CARD_REM = 21
const GAP_REM = 1

/** Grid of cards. Only the lines of cards near the window are in the page. */
export function WindowedGrid<T>({ label, rows, keyOf, cardPx, children }: WindowedGridProps<T>) {
  const list = useLongList()
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const columns = Math.max(1, Math.floor((list.width / rem + GAP_REM) / (CARD_REM + GAP_REM)))
  const lines = useMemo(() => {
    const starts = Array.from({ length: Math.ceil(rows.length / columns) }, (_, line) => line * columns)
    return starts.flatMap((first) => {
      const cards = rows.slice(first, first + columns)
      return cards[0] === undefined ? [] : [{ key: keyOf(cards[0]), height: cardPx, first, cards }]
    })
  }, [rows, keyOf, cardPx, columns])
  const { virtualizer, items, height } = useWindowed(lines, list)
  const end = items.at(-1)?.end ?? list.top
  return (
    <div ref={list.container} style={{ paddingBottom: list.top + height - end }}>
      <ul
        aria-label={label}
        className={classes.grid}
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {items.flatMap(({ key, index, start }, i) => {
          const before = start - (items[i - 1]?.end ?? list.top)
          const { first = 0, cards = [] } = lines[index] ?? {}
          return cards.map((card, place) => (
            <li
              key={keyOf(card)}
              // The cards of a line have one height.
              ref={place === 0 ? virtualizer.measureElement : undefined}
              data-index={index}
              data-row={String(key)}
              aria-setsize={rows.length}
              aria-posinset={first + place + 1}
              style={{ marginTop: before }}
            >
              {children(card)}
            </li>
          ))
        })}
      </ul>
    </div>
  )
}
