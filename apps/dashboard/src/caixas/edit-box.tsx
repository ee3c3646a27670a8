import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Edge, edgeSchema } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import dialog from '../cameras/camera-dialog.module.css'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { boxChangeOf, boxFormOf, checkBox } from './box-form.ts'
import { useBoxForm } from './use-box-form.ts'

/** Name of a box, and how much of the site's line its back-fill may take. */
export function EditBox({ caixa, onClose }: { caixa: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const fields = useBoxForm(() => boxFormOf(caixa))
  const change = useMutation({
    mutationFn: (patch: NonNullable<ReturnType<typeof boxChangeOf>>) =>
      api.send('PATCH', `/edges/${caixa.id}`, patch, edgeSchema),
    onSuccess(saved) {
      queries.setQueriesData<Edge[]>({ queryKey: ['caixas'] }, (list) =>
        list?.map((one) => (one.id === saved.id ? saved : one)),
      )
      void queries.invalidateQueries({ queryKey: ['caixas'] })
      announce(t('caixas.anuncio.salva', { nome: saved.nome }))
      onClose()
    },
    onError: fields.refuse,
  })
  const submit = () => {
    if (!fields.accept(checkBox(fields.form, { needsEmpresa: false }))) return
    const patch = boxChangeOf(caixa, fields.form)
    if (patch) change.mutate(patch)
    else onClose()
  }
  return (
    <CameraDialog
      title={t('caixas.formulario.editarTitulo')}
      submit={t('comum.salvar')}
      busy={change.isPending}
      failure={fields.failure}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className={dialog.fields} ref={fields.fields}>
        <TextInput
          label={t('caixas.formulario.nome')}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          {...fields.field('nome')}
        />
        <TextInput
          label={t('caixas.formulario.limite_reenvio_kbps')}
          description={t('caixas.formulario.limiteAjuda')}
          inputMode="numeric"
          maxLength={8}
          autoComplete="off"
          {...fields.field('limite_reenvio_kbps')}
        />
      </div>
    </CameraDialog>
  )
}
