import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Shown until the first answer. */
export function FilaSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-busy="true" aria-label={t('comum.carregando')}>
      <Skeleton height="4.5rem" mb={1} radius={0} />
      <Skeleton height="4.5rem" mb={1} radius={0} />
      <Skeleton height="4.5rem" radius={0} />
    </div>
  )
}
