import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SegundoFator, type SegundoFatorPedido, segundoFatorSchema } from '@vigia/contracts/segundo-fator'
import { useTranslation } from 'react-i18next'
import dialog from '../cameras/camera-dialog.module.css'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useForm } from '../cameras/use-form.ts'
import { useServices } from '../services.ts'

interface PasswordDialogProps {
  readonly acao: Exclude<SegundoFatorPedido['acao'], 'confirmar'>
  readonly title: string
  readonly text: string
  readonly submit: string
  readonly onDone: (answer: SegundoFator) => void
  readonly onClose: () => void
}

/** Asks for the password again, and then applies `acao` to the second factor. */
export function PasswordDialog({ acao, title, text, submit, onDone, onClose }: PasswordDialogProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { form, field, fields, failure, accept, refuse } = useForm(
    ['senha'] as const,
    () => ({ senha: '' }),
    (_problem: 'falta') => t('conta.senha.falta'),
  )
  const change = useMutation({
    mutationFn: () => api.send('POST', '/me/segundo-fator', { acao, senha: form.senha }, segundoFatorSchema),
    onSuccess: onDone,
    onError: refuse,
    // The cache must not keep secret and codes after the dialog closes.
    gcTime: 0,
  })
  return (
    <CameraDialog
      title={title}
      submit={submit}
      danger={acao === 'remover'}
      busy={change.isPending}
      failure={failure}
      onClose={onClose}
      onSubmit={() => accept(form.senha === '' ? { senha: 'falta' } : {}) && change.mutate()}
    >
      <div className={dialog.fields} ref={fields}>
        <p>{text}</p>
        <TextInput
          label={t('conta.senha.rotulo')}
          type="password"
          autoComplete="current-password"
          maxLength={1024}
          data-autofocus
          {...field('senha')}
        />
      </div>
    </CameraDialog>
  )
}
