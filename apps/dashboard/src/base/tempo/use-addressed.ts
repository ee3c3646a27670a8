import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

/** A value that rests this long is written, ms: one gesture is one step of the history. */
const REST_MS = 400

/**
 * A value that the address holds, and its setter. The value follows each change at once; `write` puts it into the
 * address when it rests. A change of the address counts at once.
 * @param addressed the same object until the address changes
 */
export function useAddressed<T>(addressed: T, write: (value: T) => unknown): readonly [T, (value: T) => void] {
  const router = useRouter()
  const [moving, setMoving] = useState<{ readonly since: T; readonly value: T } | null>(null)
  const latest = useRef({ addressed, write })
  useEffect(() => {
    latest.current = { addressed, write }
  })
  const isMoving = moving !== null && moving.since === addressed
  useEffect(() => {
    if (!isMoving) return
    const timer = setTimeout(() => latest.current.write(moving.value), REST_MS)
    // The page stays until the next one is loaded, and must not call it off.
    const leave = router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && clearTimeout(timer))
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [isMoving, moving, router])
  const set = useCallback((value: T) => setMoving({ since: latest.current.addressed, value }), [])
  return [isMoving ? moving.value : addressed, set]
}
