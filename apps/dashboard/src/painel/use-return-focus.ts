import { useEffect, useState } from 'react'

/**
 * For a dialog that is open from its first render to its last: when it goes, the focus goes back to what had it before, or
 * to the page when that is gone (the card of a removed camera). A keyboard is otherwise thrown back to the top.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the dialog's own trap has let go.
      setTimeout(() => {
        if (document.querySelector('[role="dialog"]')) return
        const target = opener?.isConnected && opener !== document.body ? opener : document.getElementById('conteudo')
        if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
