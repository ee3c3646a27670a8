import { useEffect } from 'react'
import { useLive } from '../live/live-provider.tsx'

/** Title of the browser's tab, with the number of alerts that came while nobody looked. */
export function usePageTitle(page: string): void {
  const { unseen } = useLive()
  useEffect(() => {
    document.title = `${unseen > 0 ? `(${unseen}) ` : ''}${page} · Vigia`
  }, [page, unseen])
}
