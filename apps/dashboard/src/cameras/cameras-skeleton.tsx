import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './cameras-page.module.css'

const places = ['a', 'b', 'c', 'd']

/** The shape of the list while it is fetched. */
export function CamerasSkeleton() {
  const { t } = useTranslation()
  return (
    <ul className={classes.list} aria-busy="true" aria-label={t('comum.carregando')}>
      {places.map((place) => (
        <li key={place}>
          <Skeleton height={160} radius="lg" />
        </li>
      ))}
    </ul>
  )
}
