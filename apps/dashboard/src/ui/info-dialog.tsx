import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'
import { useReturnFocus } from './use-return-focus.ts'

export interface InfoDialogProps {
  readonly title: string
  readonly size?: string
  /** Only its button and Escape close it: for content that cannot be shown again. */
  readonly guarded?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A read-only dialog; on a phone it fills the screen. */
export function InfoDialog({ title, size = '44rem', guarded = false, onClose, children }: InfoDialogProps) {
  const { t } = useTranslation()
  useReturnFocus()
  const phone = useMediaQuery('(max-width: 47.99em)')
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      fullScreen={phone}
      centered
      closeOnClickOutside={!guarded}
      closeButtonProps={{ 'aria-label': t('comum.fechar') }}
      classNames={{ title: classes.heading, content: classes.content, header: classes.header }}
      transitionProps={{ duration: 120 }}
    >
      {children}
    </Modal>
  )
}
