import { useEffect, useState } from 'react'

/** Returns true after `ms` without pointer and keyboard. */
export function useIdle(ms: number): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    let timer = setTimeout(() => setIdle(true), ms)
    const onInput = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), ms)
    }
    const kinds = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'] as const
    for (const kind of kinds) addEventListener(kind, onInput, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const kind of kinds) removeEventListener(kind, onInput)
    }
  }, [ms])
  return isIdle
}
