import { useMutation } from '@tanstack/react-query'
import { type Usuario, usuarioSchema } from '@vigia/contracts/usuarios'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { AlcanceField } from '../../locais/cameras/alcance-field.tsx'
import { alcanceFormOf, type CampoAlcance, checkAlcance, chosenAlcance } from '../../locais/cameras/alcance-form.ts'

/** Changes where a login acts. */
export function EditAlcance({ usuario, onClose }: { readonly usuario: Usuario; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { id, username: nome, papel, alcance } = usuario
  const form = useApiForm({
    initial: alcanceFormOf(alcance),
    check: checkAlcance,
    sentence: (problem) => t(`comum.alcance.${problem}`),
  })
  const saving = useMutation({
    mutationFn: (values: Record<CampoAlcance, string>) =>
      api.send('PATCH', `/usuarios/${id}`, chosenAlcance(values), usuarioSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['usuarios'] })
      announce(t('pessoas.feito', { nome }))
      onClose()
    },
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('pessoas.alcance.titulo', { nome })}
      submit={t('comum.salvar')}
      busy={saving.isPending}
      form={form}
      onClose={onClose}
      onSubmit={saving.mutate}
    >
      <p>{t('pessoas.alcance.texto')}</p>
      <AlcanceField form={form} administra={papel === 'administrador'} />
    </FormDialog>
  )
}
