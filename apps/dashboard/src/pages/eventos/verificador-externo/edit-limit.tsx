import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  type UsoVerificadorExterno,
  usoVerificadorExternoSchema,
  verificadorExternoPatchSchema,
} from '@vigia/contracts/verificador-externo'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'

interface EditLimitProps {
  readonly uso: UsoVerificadorExterno
  readonly onClose: () => void
}

/** Form of the monthly limit of calls; an empty field is the default of the installation. */
export function EditLimit({ uso: { empresa_id, nome, chamadas_mes }, onClose }: EditLimitProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const form = useApiForm<'chamadas_mes', 'campoErrado'>({
    initial: { chamadas_mes: String(chamadas_mes) },
    check: (values) =>
      verificadorExternoPatchSchema.safeParse(bodyOf(values.chamadas_mes)).success
        ? {}
        : { chamadas_mes: 'campoErrado' },
    sentence: (problem) => t(`verificadorExterno.${problem}`),
  })
  const change = useMutation({
    mutationFn: (text: string) =>
      api.send('PATCH', `/verificador-externo/${empresa_id}`, bodyOf(text), usoVerificadorExternoSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['verificador-externo'] })
      announce(t('verificadorExterno.anuncio.limite', { nome }))
      onClose()
    },
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('verificadorExterno.limiteRotulo', { nome })}
      submit={t('comum.salvar')}
      busy={change.isPending}
      form={form}
      onClose={onClose}
      onSubmit={(values) => change.mutate(values.chamadas_mes)}
    >
      <TextInput
        label={t('verificadorExterno.campo')}
        description={t('verificadorExterno.campoAjuda')}
        inputMode="numeric"
        maxLength={8}
        autoComplete="off"
        data-autofocus
        {...form.field('chamadas_mes')}
      />
    </FormDialog>
  )
}

const bodyOf = (text: string) => ({ chamadas_mes: text.trim() === '' ? null : Number(text) })
