import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Shown until the first answer. */
export function FilaSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-busy="true" aria-label={t('comum.carregando')}>
      <Skeleton height="5.25rem" mb="0.5rem" radius="md" />
      <Skeleton height="5.25rem" mb="0.5rem" radius="md" />
      <Skeleton height="5.25rem" radius="md" />
    </div>
  )
}
