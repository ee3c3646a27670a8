import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { codigoSchema, edgeSchema } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { OwnerFields } from '../cameras/owner-fields.tsx'
import { useOwner } from '../cameras/use-owner.ts'
import { useAnnounce } from '../painel/announcer.tsx'
import { FormDialog } from '../painel/form-dialog.tsx'
import { useServices } from '../services.ts'
import { ActivationCode } from './activation-code.tsx'
import { edgeCreationOf, emptyEdge, type FormularioEdge } from './edge-form.ts'
import { useEdgeForm } from './use-edge-form.ts'

const criadaSchema = edgeSchema.extend(codigoSchema.shape)

/** Two steps: the name of the edge, then its activation code, which is shown only once. */
export function AddEdge({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner({ creates: true })
  const form = useEdgeForm(emptyEdge, { needsEmpresa: owner.operator })
  const creation = useMutation({
    async mutationFn(values: FormularioEdge) {
      const empresa_id = await owner.settle(form)
      return api.send('POST', '/edges', edgeCreationOf({ ...values, empresa_id }), criadaSchema)
    },
    onSuccess({ nome }) {
      void queries.invalidateQueries({ queryKey: ['edges'] })
      announce(t('caixas.anuncio.criada', { nome }))
    },
    onError: form.refuse,
    // The cache must not keep the code after the dialog closes.
    gcTime: 0,
  })
  if (creation.data)
    return <ActivationCode nome={creation.data.nome} codigo={creation.data} replaces={false} onClose={onClose} />
  return (
    <FormDialog
      title={t('caixas.formulario.adicionarTitulo')}
      submit={t('caixas.formulario.adicionar')}
      busy={creation.isPending}
      form={form}
      onClose={onClose}
      onSubmit={creation.mutate}
    >
      <OwnerFields owner={owner} form={form} />
      <TextInput
        label={t('caixas.formulario.nome')}
        placeholder={t('caixas.formulario.nomeExemplo')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...form.field('nome')}
      />
    </FormDialog>
  )
}
