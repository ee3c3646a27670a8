import { type RefObject, useEffect, useRef } from 'react'

/**
 * Ref of the element around the fields. After a failed attempt to send, the focus moves to the first invalid field, but
 * not during its correction.
 */
export function useFocusInvalid<T extends HTMLElement>(refusals: number): RefObject<T | null> {
  const fields = useRef<T>(null)
  useEffect(() => {
    if (refusals > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  return fields
}
