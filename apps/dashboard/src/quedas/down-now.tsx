import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './down-now.module.css'
import { useDownNow } from './use-down-now.ts'

const NAMED = 3

/** Silence is good news only while the cameras see: who watches is told when a box or a camera does not. */
export function DownNow() {
  const { t } = useTranslation()
  const { caixas, cameras } = useDownNow()
  const names = (things: readonly { readonly nome: string }[]): string => {
    const first = things.slice(0, NAMED).map(({ nome }) => nome)
    const nomes = first.join(', ')
    const rest = things.length - first.length
    return rest > 0 ? t('quedas.outras', { nomes, count: rest }) : nomes
  }
  // The region stays when it is empty: who listens to the page is told what appears in it.
  return (
    <div role="status">
      {caixas.length + cameras.length > 0 && (
        <div className={classes.down}>
          <IconPlugConnectedX size={20} aria-hidden="true" />
          <div>
            {caixas.length > 0 && (
              <p>
                {t('quedas.caixas', { count: caixas.length, nomes: names(caixas) })}{' '}
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
