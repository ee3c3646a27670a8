import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Edge, edgeSchema } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import dialog from '../cameras/camera-dialog.module.css'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { checkEdge, edgeChangeOf, edgeFormOf } from './edge-form.ts'
import { useEdgeForm } from './use-edge-form.ts'

/** Name of an edge, and the bandwidth limit of its backlog lane. */
export function EditEdge({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const fields = useEdgeForm(() => edgeFormOf(edge))
  const change = useMutation({
    mutationFn: (patch: NonNullable<ReturnType<typeof edgeChangeOf>>) =>
      api.send('PATCH', `/edges/${edge.id}`, patch, edgeSchema),
    onSuccess(saved) {
      queries.setQueriesData<Edge[]>({ queryKey: ['edges'] }, (list) =>
        list?.map((one) => (one.id === saved.id ? saved : one)),
      )
      void queries.invalidateQueries({ queryKey: ['edges'] })
      announce(t('caixas.anuncio.salva', { nome: saved.nome }))
      onClose()
    },
    onError: fields.refuse,
  })
  const submit = () => {
    if (!fields.accept(checkEdge(fields.form, { needsEmpresa: false }))) return
    const patch = edgeChangeOf(edge, fields.form)
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
