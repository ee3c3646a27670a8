import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { empresaSchema } from '@vigia/contracts/empresas'
import { campoLimite, type LimitesEmpresa, limites, type TipoLimite, tiposLimite } from '@vigia/contracts/limites'
import { useTranslation } from 'react-i18next'
import dialog from '../cameras/camera-dialog.module.css'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useForm } from '../cameras/use-form.ts'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { checkLimits, limitsChangeOf, limitsFormOf, type ProblemaLimite } from './limits-form.ts'

const campos = tiposLimite.map(campoLimite)

export interface EditLimitsProps {
  readonly empresa: LimitesEmpresa
  /** Limits that the login may set. */
  readonly tipos: readonly TipoLimite[]
  readonly onClose: () => void
}

/** Form of the limits of an Empresa, each beside its use. */
export function EditLimits({ empresa, tipos, onClose }: EditLimitsProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const initial = () => limitsFormOf(empresa)
  const fields = useForm(campos, initial, (problem: ProblemaLimite) => t(`empresas.formulario.${problem}`))
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
    onError: fields.refuse,
  })
  const submit = () => {
    if (!fields.accept(checkLimits(fields.form))) return
    const patch = limitsChangeOf(empresa, fields.form)
    if (patch) change.mutate(patch)
    else onClose()
  }
  return (
    <CameraDialog
      title={t('empresas.formulario.titulo', { nome: empresa.nome })}
      submit={t('comum.salvar')}
      busy={change.isPending}
      failure={fields.failure}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className={dialog.fields} ref={fields.fields}>
        <p>{t('empresas.formulario.ajuda')}</p>
        {tipos.map((tipo, index) => (
          <TextInput
            key={tipo}
            label={t('empresas.formulario.campo', { nome: limites[tipo].nome })}
            description={t('empresas.formulario.emUso', { uso: empresa.limites[tipo].uso.toLocaleString('pt-BR') })}
            inputMode="numeric"
            maxLength={6}
            autoComplete="off"
            data-autofocus={index === 0 || undefined}
            {...fields.field(campoLimite(tipo))}
          />
        ))}
      </div>
    </CameraDialog>
  )
}
