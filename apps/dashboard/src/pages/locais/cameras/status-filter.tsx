import { Link } from '@tanstack/react-router'
import { type Camera, statusCamera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import classes from '../../../ui/status-filter.module.css'

/** Number of cameras per status; a click on a number filters the list. */
export function StatusFilter({ cameras }: { cameras: readonly Camera[] }) {
  const { t } = useTranslation()
  const counts = statusCamera
    .map((status) => ({ status, count: cameras.filter((camera) => camera.status === status).length }))
    .filter(({ count }) => count > 0)
  return (
    <nav className={classes.filter} aria-label={t('cameras.filtro')}>
      <Chip status={undefined} label={t('cameras.todas')} count={cameras.length} />
      {counts.map(({ status, count }) => (
        <Chip key={status} status={status} label={t(`cameras.status.${status}`)} count={count} />
      ))}
    </nav>
  )
}

function Chip({ status, label, count }: { status: Camera['status'] | undefined; label: string; count: number }) {
  return (
    <Link
      to="/cameras"
      search={status ? { status } : {}}
      replace
      activeOptions={{ exact: true, includeSearch: true }}
      className={classes.chip}
    >
      {label} <span className={classes.count}>{count}</span>
    </Link>
  )
}
