import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SegundoFator, type SegundoFatorPedido, segundoFatorSchema } from '@vigia/contracts/segundo-fator'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'

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
  const form = useApiForm({
    initial: { senha: '' },
    check: (values) => (values.senha === '' ? { senha: 'falta' } : {}),
    sentence: () => t('conta.senha.falta'),
  })
  const change = useMutation({
    mutationFn: (values: { senha: string }) =>
      api.send('POST', '/me/segundo-fator', { acao, senha: values.senha }, segundoFatorSchema),
    onSuccess: onDone,
    onError: form.refuse,
    // The cache must not keep secret and codes after the dialog closes.
    gcTime: 0,
  })
  return (
    <FormDialog
      title={title}
      submit={submit}
      danger={acao === 'remover'}
      busy={change.isPending}
      form={form}
      onClose={onClose}
      onSubmit={change.mutate}
    >
      <p>{text}</p>
      <TextInput
        label={t('conta.senha.rotulo')}
        type="password"
        autoComplete="current-password"
        maxLength={1024}
        data-autofocus
        {...form.field('senha')}
      />
    </FormDialog>
  )
}
