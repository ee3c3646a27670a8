import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { empresaSchema } from '@vigia/contracts/empresas'
import { campoLimite, type LimitesEmpresa, type TipoLimite } from '@vigia/contracts/limites'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../domains/locais/edges/edge-health.ts'
import { useServices } from '../../../session/services.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { checkLimits, type FormularioLimites, limitsChangeOf, limitsFormOf } from './limits-form.ts'

export interface EditLimitsProps {
  readonly empresa: LimitesEmpresa
  /** Limits that the login may set. */
  readonly tipos: readonly TipoLimite[]
  /** Whether the login may set the limit of bytes. */
  readonly withBytes: boolean
  readonly onClose: () => void
}

/** Form of the limits of an Empresa, each beside its use. */
export function EditLimits({ empresa, tipos, withBytes, onClose }: EditLimitsProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const form = useApiForm({
    initial: limitsFormOf(empresa),
    check: checkLimits,
    sentence: (problem) => t(`empresas.formulario.${problem}`),
  })
  const change = useMutation({
    mutationFn: (patch: NonNullable<ReturnType<typeof limitsChangeOf>>) =>
      api.send('PATCH', `/empresas/${empresa.empresa_id}`, patch, empresaSchema),
    onSuccess() {
      // The limits of the Empresas below may have changed too.
      void queries.invalidateQueries({ queryKey: ['limites'] })
      void queries.invalidateQueries({ queryKey: ['empresas'] })
      announce(t('empresas.anuncio', { nome: empresa.nome }))
      onClose()
    },
    onError: form.refuse,
  })
  const submit = (values: FormularioLimites) => {
    const patch = limitsChangeOf(empresa, values)
    if (patch) change.mutate(patch)
    else onClose()
  }
  return (
    <FormDialog
      title={t('empresas.formulario.titulo', { nome: empresa.nome })}
      submit={t('comum.salvar')}
      busy={change.isPending}
      form={form}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{t('empresas.formulario.ajuda')}</p>
      {tipos.map((tipo, index) => (
        <TextInput
          key={tipo}
          label={t('empresas.formulario.campo', { nome: t(`empresas.tipos.${tipo}`) })}
          description={t('empresas.formulario.emUso', { uso: formatNumber(empresa.limites[tipo].uso) })}
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          data-autofocus={index === 0 || undefined}
          {...form.field(campoLimite(tipo))}
        />
      ))}
      {withBytes && (
        <TextInput
          label={t('empresas.bytes.campo')}
          description={t('empresas.bytes.ajuda', { uso: formatBytes(empresa.bytes.uso) })}
          inputMode="decimal"
          maxLength={13}
          autoComplete="off"
          {...form.field('limite_gb')}
        />
      )}
    </FormDialog>
  )
}
