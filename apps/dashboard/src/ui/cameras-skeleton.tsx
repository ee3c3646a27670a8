import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './cameras-page.module.css'

const placeholders = ['a', 'b', 'c', 'd']

/** Placeholder of the list during the first request. */
export function CamerasSkeleton() {
  const { t } = useTranslation()
  return (
    <ul className={classes.list} aria-busy="true" aria-label={t('comum.carregando')}>
      {placeholders.map((place) => (
        <li key={place}>
          <Skeleton height={160} radius="lg" />
        </li>
      ))}
    </ul>
  )
}
