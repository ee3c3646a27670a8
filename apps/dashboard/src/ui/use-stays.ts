import { useEffect, useState } from 'react'

/** Returns true if `condition` has held for `ms` without interruption. */
export function useStays(condition: boolean, ms: number): boolean {
  const [stays, setStays] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setStays(true), ms)
    return () => {
      clearTimeout(timer)
      setStays(false)
    }
  }, [condition, ms])
  return condition && stays
}
