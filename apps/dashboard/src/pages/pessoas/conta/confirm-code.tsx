import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SegundoFator, segundoFatorSchema } from '@vigia/contracts/segundo-fator'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import classes from './conta.module.css'

interface ConfirmCodeProps {
  /** Base 32. */
  readonly segredo: string
  readonly otpauth: string
  readonly onDone: (answer: SegundoFator) => void
  readonly onClose: () => void
}

/** The secret for the authenticator app, and the field for the code that proves its installation. */
export function ConfirmCode({ segredo, otpauth, onDone, onClose }: ConfirmCodeProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const form = useApiForm({
    initial: { codigo: '' },
    check: (values) => (values.codigo.trim() === '' ? { codigo: 'falta' } : {}),
    sentence: () => t('conta.confirmar.falta'),
  })
  const confirmation = useMutation({
    mutationFn: (values: { codigo: string }) =>
      api.send('POST', '/me/segundo-fator', { acao: 'confirmar', codigo: values.codigo }, segundoFatorSchema),
    onSuccess: onDone,
    onError: form.refuse,
    gcTime: 0,
  })
  return (
    <FormDialog
      title={t('conta.confirmar.titulo')}
      submit={t('conta.confirmar.ligar')}
      busy={confirmation.isPending}
      form={form}
      onClose={onClose}
      onSubmit={confirmation.mutate}
    >
      <div className={classes.enrol}>
        <QrCode text={otpauth} label={t('conta.confirmar.qr')} />
        <div>
          <p>{t('conta.confirmar.ler')}</p>
          <p className={classes.soft}>{t('conta.confirmar.digitar')}</p>
          <output className={classes.secret} aria-label={t('conta.confirmar.chave')} translate="no">
            {segredo.replace(/.{4}(?=.)/g, '$& ')}
          </output>
          <TextInput
            mt="md"
            label={t('conta.confirmar.codigo')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
            data-autofocus
            {...form.field('codigo')}
          />
        </div>
      </div>
    </FormDialog>
  )
}
