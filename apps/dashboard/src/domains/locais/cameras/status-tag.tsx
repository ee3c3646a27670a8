import { IconPlayerPause, IconVideo, IconVideoOff } from '@tabler/icons-react'
import type { StatusCamera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { Tag } from '../../../ui/tag.tsx'

const icons = { online: IconVideo, offline: IconVideoOff, desativada: IconPlayerPause } as const

/** Status of a camera as colour, shape and word. */
export function StatusTag({ status }: { status: StatusCamera }) {
  const { t } = useTranslation()
  const Icon = icons[status]
  return (
    <Tag data-status={status}>
      <Icon size={17} aria-hidden="true" />
      <span>{t(`cameras.status.${status}`)}</span>
    </Tag>
  )
}
