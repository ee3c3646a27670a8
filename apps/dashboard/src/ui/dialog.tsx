import { Alert, Button, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'
import { styled } from './styled.ts'
import { useReturnFocus } from './use-return-focus.ts'

export interface DialogProps {
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

/** Paragraphs and lists of a dialog. */
export const DialogText = styled('div', classes.text)

/** Buttons at the end of a dialog or of a form. */
export const DialogButtons = styled('div', classes.buttons)

/** A dialog with a form, its error and its two buttons. */
export function Dialog({ title, submit, danger = false, busy, failure, onSubmit, onClose, children }: DialogProps) {
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
        <DialogButtons>
          <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
            {t('comum.cancelar')}
          </Button>
          <Button type="submit" loading={busy} {...(danger ? { color: 'red.9' } : {})}>
            {submit}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  )
}
