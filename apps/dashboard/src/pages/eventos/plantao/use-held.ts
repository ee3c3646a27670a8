import { type RefObject, useEffect, useState } from 'react'

/** Returns whether the last movement of the pointer was over the element. */
export function useHeld(ref: RefObject<HTMLElement | null>): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const onMove = (event: PointerEvent) => {
      setHeld(event.target instanceof Node && (ref.current?.contains(event.target) ?? false))
    }
    const release = () => setHeld(false)
    addEventListener('pointermove', onMove, { passive: true })
    addEventListener('pointerdown', onMove, { passive: true })
    document.addEventListener('pointerleave', release)
    return () => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerdown', onMove)
      document.removeEventListener('pointerleave', release)
    }
  }, [ref])
  return isHeld
}
