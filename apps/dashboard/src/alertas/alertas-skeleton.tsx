import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './alertas-page.module.css'

const placeholders = ['a', 'b', 'c', 'd', 'e']

/** Placeholder of the list during the first request. */
export function AlertasSkeleton() {
  const { t } = useTranslation()
  return (
    <ul className={classes.list} aria-busy="true" aria-label={t('comum.carregando')}>
      {placeholders.map((place) => (
        <li key={place}>
          <Skeleton height="100%" mih="min(18rem, 30vh)" radius="lg" />
        </li>
      ))}
    </ul>
  )
}
