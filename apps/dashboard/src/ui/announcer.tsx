import { VisuallyHidden } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useState } from 'react'

const AnnounceContext = createContext<(text: string) => void>(() => {})

/** Announces `text` to screen readers. */
export const useAnnounce = () => use(AnnounceContext)

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', count: 0 })
  const announce = useCallback((text: string) => setSaid(({ count }) => ({ text, count: count + 1 })), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <VisuallyHidden role="status" aria-live="polite">
        {/* A new element each time, so that a repeated sentence is announced again. */}
        <span key={said.count}>{said.text}</span>
      </VisuallyHidden>
    </AnnounceContext>
  )
}
