import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Edge, edgeSchema } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { edgeChangeOf, edgeFormOf, type FormularioEdge } from './edge-form.ts'
import { useEdgeForm } from './use-edge-form.ts'

/** Name of an edge, the bandwidth limit of its backlog lane, and its disk budget of continuous recording. */
export function EditEdge({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const form = useEdgeForm(edgeFormOf(edge), { needsEmpresa: false })
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
    onError: form.refuse,
  })
  const submit = (values: FormularioEdge) => {
    const patch = edgeChangeOf(edge, values)
    if (patch) change.mutate(patch)
    else onClose()
  }
  return (
    <FormDialog
      title={t('caixas.formulario.editarTitulo')}
      submit={t('comum.salvar')}
      busy={change.isPending}
      form={form}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('caixas.formulario.nome')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...form.field('nome')}
      />
      <TextInput
        label={t('caixas.formulario.limite_reenvio_kbps')}
        description={t('caixas.formulario.limiteAjuda')}
        inputMode="numeric"
        maxLength={8}
        autoComplete="off"
        {...form.field('limite_reenvio_kbps')}
      />
      <TextInput
        label={t('caixas.formulario.gravacao_continua_mb')}
        description={t('caixas.formulario.gravacaoAjuda')}
        inputMode="numeric"
        maxLength={9}
        autoComplete="off"
        {...form.field('gravacao_continua_mb')}
      />
    </FormDialog>
  )
}
