import { defaultRangeExtractor, type Range, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFocusedRow } from './use-focused-row.ts'

/** Rows beyond the edges of the window that are in the page: Tab finds its next link there. */
const OVERSCAN = 3

export interface WindowedRow {
  /** Stays the same while the list changes. */
  readonly key: string | number
  /** px. The first estimate, if the row is measured. */
  readonly height: number
}

/** A long list in the document, which scrolls. */
export interface LongList {
  /** Its container. */
  readonly container: RefObject<HTMLDivElement | null>
  /** From the top of the document, px. */
  readonly top: number
  /** px. 0: not measured yet. */
  readonly width: number
}

/** Measures where a long list stands. */
export function useLongList(): LongList {
  const container = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ top: 0, width: 0 })
  const measure = useCallback(() => {
    if (!container.current) return
    const { top, width } = container.current.getBoundingClientRect()
    const next = { top: Math.round(top + window.scrollY), width }
    setPlace((before) => (before.top === next.top && before.width === next.width ? before : next))
  }, [])
  useLayoutEffect(measure)
  // Content above the list changes without a render of it, and then the height of the page.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [measure])
  return { container, ...place }
}

/** Rows that a printed page shows at most. */
const PRINTED = 1_000

/** Whether the browser is about to print: the rows must be in the page before it measures them. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}

/** The rows of a long list that are near the window. The row with the focus stays in the page. */
export function useWindowed(rows: readonly WindowedRow[], { container, top }: LongList) {
  const focused = useFocusedRow(container)
  const printing = usePrinting()
  const kept = focused === null ? -1 : rows.findIndex(({ key }) => String(key) === focused)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    scrollMargin: top,
    overscan: OVERSCAN,
    estimateSize: (index) => rows[index]?.height ?? 0,
    // A new identity reports changed rows to the virtualizer.
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    rangeExtractor: (range: Range) => {
      if (printing) return Array.from({ length: Math.min(range.count, PRINTED) }, (_, index) => index)
      const near = defaultRangeExtractor(range)
      return kept < 0 || near.includes(kept) ? near : [...near, kept].toSorted((a, b) => a - b)
    },
  })
  return {
    virtualizer,
    items: virtualizer.getVirtualItems() as readonly VirtualItem[],
    /** Height of the whole list, px. */
    height: virtualizer.getTotalSize(),
  }
}
