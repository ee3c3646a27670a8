import { useEffect } from 'react'
import { useLive } from '../live/live-provider.tsx'

/** Sets the title of the browser tab, with the number of unseen alerts. */
export function usePageTitle(page: string): void {
  const { unseen } = useLive()
  useEffect(() => {
    document.title = `${unseen > 0 ? `(${unseen}) ` : ''}${page} · Vigia`
  }, [page, unseen])
}
