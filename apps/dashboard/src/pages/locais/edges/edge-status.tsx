import { IconHourglass, IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import type { Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { Tag } from '../../../ui/tag.tsx'

const icons = { aguardando: IconHourglass, online: IconPlugConnected, offline: IconPlugConnectedX } as const

/** Connection status of an edge as colour, shape and word. */
export function EdgeStatus({ status }: { status: Edge['status'] }) {
  const { t } = useTranslation()
  const Icon = icons[status]
  return (
    <Tag data-status={status}>
      <Icon size={17} aria-hidden="true" />
      <span>{t(`caixas.status.${status}`)}</span>
    </Tag>
  )
}
