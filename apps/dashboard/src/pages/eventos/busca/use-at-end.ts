import { type RefObject, useEffect, useRef } from 'react'

/** Distance to the end of the list at which the next page is fetched. */
const AHEAD = '600px'

/** Calls `onEnd` while the element is near the screen and `enabled` is true. */
export function useAtEnd(enabled: boolean, onEnd: () => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(onEnd)
  latest.current = onEnd
  useEffect(() => {
    if (!enabled || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [enabled])
  return element
}
