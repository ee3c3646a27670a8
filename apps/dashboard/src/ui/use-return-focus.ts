import { useEffect, useState } from 'react'

/**
 * For a dialog that is open as long as it is mounted. On unmount the focus returns to the previous element, or to the
 * page if that element was removed. Otherwise a keyboard user starts again at the top.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // Runs after the dialog has released its focus trap.
      setTimeout(() => {
        if (document.querySelector('[role="dialog"]')) return
        const target = opener?.isConnected && opener !== document.body ? opener : document.getElementById('conteudo')
        if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
