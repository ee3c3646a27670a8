import { Alert, Button, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './camera-dialog.module.css'
import { useReturnFocus } from './use-return-focus.ts'

export interface CameraDialogProps {
  readonly title: string
  readonly submit: string
  readonly danger?: boolean
  readonly busy: boolean
  /** Error of the cloud that belongs to no field. */
  readonly failure: string | null
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog with a form, its error and its two buttons. */
export function CameraDialog({
  title,
  submit,
  danger = false,
  busy,
  failure,
  onSubmit,
  onClose,
  children,
}: CameraDialogProps) {
  const { t } = useTranslation()
  useReturnFocus()
  const phone = useMediaQuery('(max-width: 47.99em)')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      centered
      fullScreen={phone && !danger}
      closeOnClickOutside={danger}
      closeButtonProps={{ 'aria-label': t('comum.fechar') }}
      classNames={{ title: classes.heading, content: classes.content, header: classes.header }}
      transitionProps={{ duration: 120 }}
    >
      <form onSubmit={send} noValidate autoComplete="off">
        {failure && (
          <Alert color="red" variant="light" role="alert" mb="md">
            {failure}
          </Alert>
        )}
        {children}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
            {t('comum.cancelar')}
          </Button>
          <Button type="submit" loading={busy} {...(danger ? { color: 'red.9' } : {})}>
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
