import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Remetentes, remetentesSchema, type TipoRemetente } from '@vigia/contracts/remetentes'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import {
  type CampoRemetente,
  checkRemetente,
  type FormularioRemetente,
  fieldsOf,
  isSecret,
  remetenteBodyOf,
  remetenteFormOf,
  withFields,
} from './remetente-form.ts'

interface EditRemetenteProps {
  readonly tipo: TipoRemetente
  readonly remetente: Remetentes[TipoRemetente]
  readonly onClose: () => void
}

/** Form of one sender. An empty secret keeps the stored one. */
export function EditRemetente({ tipo, remetente, onClose }: EditRemetenteProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const nome = t(`remetentes.tipo.${tipo}`)
  const form = useApiForm<CampoRemetente, 'campoErrado'>({
    initial: remetenteFormOf(remetente),
    check: (values) => checkRemetente(tipo, values),
    sentence: (problem) => t(`remetentes.${problem}`),
  })
  const saving = useMutation({
    mutationFn: (values: FormularioRemetente) =>
      api.send('PATCH', '/remetentes', remetenteBodyOf(tipo, values), remetentesSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['remetentes'] })
      announce(t('remetentes.anuncio.salvo', { nome }))
      onClose()
    },
    onError: (error) => form.refuse(withFields(error)),
    // The cache must not keep the secret after the dialog closes.
    gcTime: 0,
  })
  const common = (field: CampoRemetente) => ({
    label: t(`remetentes.campo.${field}`),
    description: isSecret(field) && remetente.com_segredo ? t('remetentes.guardado') : t(`remetentes.exemplo.${field}`),
    ...form.field(field),
  })
  return (
    <FormDialog
      title={t('remetentes.mudarRotulo', { nome })}
      submit={t('comum.salvar')}
      busy={saving.isPending}
      form={form}
      onClose={onClose}
      onSubmit={saving.mutate}
    >
      {fieldsOf[tipo].map((field: CampoRemetente) =>
        field === 'seguranca' ? (
          <NativeSelect
            key={field}
            {...common(field)}
            data={(['starttls', 'tls', 'nenhuma'] as const).map((value) => ({
              value,
              label: t(`remetentes.seguranca.${value}`),
            }))}
          />
        ) : isSecret(field) ? (
          <PasswordInput key={field} autoComplete="new-password" {...common(field)} />
        ) : (
          <TextInput key={field} autoComplete="off" autoCapitalize="none" spellCheck={false} {...common(field)} />
        ),
      )}
    </FormDialog>
  )
}
