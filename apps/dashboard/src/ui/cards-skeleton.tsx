import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CardGrid } from './page.tsx'

const placeholders = ['a', 'b', 'c', 'd']

/** Placeholder of the list during the first request. */
export function CardsSkeleton() {
  const { t } = useTranslation()
  return (
    <CardGrid aria-busy="true" aria-label={t('comum.carregando')}>
      {placeholders.map((place) => (
        <li key={place}>
          <Skeleton height={160} radius="lg" />
        </li>
      ))}
    </CardGrid>
  )
}
