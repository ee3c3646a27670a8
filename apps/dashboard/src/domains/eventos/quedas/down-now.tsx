import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './down-now.module.css'
import { useDownNow } from './use-down-now.ts'

const NAMED = 3

/** Banner with the offline edges and cameras, because their missing alerts would otherwise go unnoticed. */
export function DownNow() {
  const { t } = useTranslation()
  const { edges, cameras } = useDownNow()
  const names = (things: readonly { readonly nome: string }[]): string => {
    const first = things.slice(0, NAMED).map(({ nome }) => nome)
    const nomes = first.join(', ')
    const rest = things.length - first.length
    return rest > 0 ? t('quedas.outras', { nomes, count: rest }) : nomes
  }
  // The region stays mounted when empty, because screen readers announce only changes of an existing region.
  return (
    <div role="status">
      {edges.length + cameras.length > 0 && (
        <div className={classes.down}>
          <IconPlugConnectedX size={20} aria-hidden="true" />
          <div>
            {edges.length > 0 && (
              <p>
                {t('quedas.caixas', { count: edges.length, nomes: names(edges) })}{' '}
                <Link to="/quedas" search={{ abertas: true }}>
                  {t('quedas.verQuedas')}
                </Link>
              </p>
            )}
            {cameras.length > 0 && (
              <p>
                {t('quedas.cameras', { count: cameras.length, nomes: names(cameras) })}{' '}
                <Link to="/cameras" search={{ status: 'offline' }}>
                  {t('quedas.verCameras')}
                </Link>
              </p>
            )}
          </div>
        </div>
      )}
    </div>
  )
}
