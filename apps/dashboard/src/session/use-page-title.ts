import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from './live-provider.tsx'

/** Sets the title of the browser tab, with a lost contact or the number of unseen incidentes. */
export function usePageTitle(page: string): void {
  const { t } = useTranslation()
  const { lost, unseen } = useLive()
  const mark = lost ? `${t('painel.semContato')} · ` : unseen > 0 ? `(${unseen}) ` : ''
  useEffect(() => {
    document.title = `${mark}${page} · Vigia`
  }, [page, mark])
}
