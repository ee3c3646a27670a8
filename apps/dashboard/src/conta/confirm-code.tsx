import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SegundoFator, segundoFatorSchema } from '@vigia/contracts/segundo-fator'
import { useTranslation } from 'react-i18next'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useForm } from '../cameras/use-form.ts'
import { useServices } from '../services.ts'
import classes from './conta.module.css'
import { QrCode } from './qr-code.tsx'

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
  const { form, field, fields, failure, accept, refuse } = useForm(
    ['codigo'] as const,
    () => ({ codigo: '' }),
    (_problem: 'falta') => t('conta.confirmar.falta'),
  )
  const confirmation = useMutation({
    mutationFn: () =>
      api.send('POST', '/me/segundo-fator', { acao: 'confirmar', codigo: form.codigo }, segundoFatorSchema),
    onSuccess: onDone,
    onError: refuse,
    gcTime: 0,
  })
  return (
    <CameraDialog
      title={t('conta.confirmar.titulo')}
      submit={t('conta.confirmar.ligar')}
      busy={confirmation.isPending}
      failure={failure}
      onClose={onClose}
      onSubmit={() => accept(form.codigo.trim() === '' ? { codigo: 'falta' } : {}) && confirmation.mutate()}
    >
      <div className={classes.enrol} ref={fields}>
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
            {...field('codigo')}
          />
        </div>
      </div>
    </CameraDialog>
  )
}
