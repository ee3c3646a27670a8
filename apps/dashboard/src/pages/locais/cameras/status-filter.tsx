import { useSearch } from '@tanstack/react-router'
import { type Camera, statusCamera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { Chip, ChipCount, Chips } from '../../../ui/chips.tsx'

/** Number of cameras per status; a click on a number filters the list. */
export function StatusFilter({ cameras }: { cameras: readonly Camera[] }) {
  const { t } = useTranslation()
  const counts = statusCamera
    .map((status) => ({ status, count: cameras.filter((camera) => camera.status === status).length }))
    .filter(({ count }) => count > 0)
  return (
    <Chips aria-label={t('cameras.filtro')}>
      <Filter status={undefined} label={t('cameras.todas')} count={cameras.length} />
      {counts.map(({ status, count }) => (
        <Filter key={status} status={status} label={t(`cameras.status.${status}`)} count={count} />
      ))}
    </Chips>
  )
}

function Filter({ status, label, count }: { status: Camera['status'] | undefined; label: string; count: number }) {
  const { status: chosen } = useSearch({ from: '/painel/cameras' })
  return (
    <Chip
      to="/cameras"
      search={(before) => ({ ...before, status })}
      replace
      aria-current={chosen === status ? 'page' : undefined}
      activeProps={{ 'aria-current': undefined }}
    >
      {label} <ChipCount>{count}</ChipCount>
    </Chip>
  )
}
