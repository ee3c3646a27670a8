import { IconVideoOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import classes from './offline-cameras.module.css'

const NAMED = 3

/** Silence is good news only while the cameras see: who watches the alerts is told when one does not. */
export function OfflineCameras() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const { data: cameras = [] } = useQuery(camerasQuery(api, empresa ?? null))
  const offline = cameras.filter(({ status }) => status === 'offline')
  if (offline.length === 0) return null
  const first = offline.slice(0, NAMED).map(({ nome }) => nome)
  const rest = offline.length - first.length
  const nomes = rest > 0 ? t('alertas.offlineOutras', { nomes: first.join(', '), count: rest }) : first.join(', ')
  return (
    <p className={classes.offline}>
      <IconVideoOff size={20} aria-hidden="true" />
      <span>
        {t('alertas.offline', { count: offline.length, nomes })}{' '}
        <Link to="/cameras" search={{ status: 'offline' }}>
          {t('alertas.verOffline')}
        </Link>
      </span>
    </p>
  )
}
