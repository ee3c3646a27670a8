import { type RefObject, useEffect, useState } from 'react'

/** Key of the row with the focus, its `data-row`. */
export function useFocusedRow(container: RefObject<HTMLElement | null>): string | null {
  const [focused, setFocused] = useState<string | null>(null)
  useEffect(() => {
    const list = container.current
    const onFocus = ({ target }: FocusEvent) =>
      setFocused((target as Element).closest<HTMLElement>('[data-row]')?.dataset.row ?? null)
    const onBlur = () => setFocused(null)
    list?.addEventListener('focusin', onFocus)
    list?.addEventListener('focusout', onBlur)
    return () => {
      list?.removeEventListener('focusin', onFocus)
      list?.removeEventListener('focusout', onBlur)
    }
  }, [container])
  return focused
}
