import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './alertas-page.module.css'

const places = ['a', 'b', 'c', 'd', 'e']

/** The shape of the list while it is fetched. */
export function AlertsSkeleton() {
  const { t } = useTranslation()
  return (
    <ul className={classes.list} aria-busy="true" aria-label={t('comum.carregando')}>
      {places.map((place) => (
        <li key={place}>
          <Skeleton height="100%" mih="min(18rem, 30vh)" radius="lg" />
        </li>
      ))}
    </ul>
  )
}
