import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { codigoSchema, edgeSchema } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import dialog from '../cameras/camera-dialog.module.css'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { OwnerFields } from '../cameras/owner-fields.tsx'
import { useOwner } from '../cameras/use-owner.ts'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { ActivationCode } from './activation-code.tsx'
import { checkEdge, edgeCreationOf, emptyEdge } from './edge-form.ts'
import { useEdgeForm } from './use-edge-form.ts'

const criadaSchema = edgeSchema.extend(codigoSchema.shape)

/** Two steps: the name of the edge, then its activation code, which is shown only once. */
export function AddEdge({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner()
  const fields = useEdgeForm(() => emptyEdge(owner.initial))
  const form = { ...fields.form, empresa_id: fields.form.empresa_id || owner.obvious }
  const field: typeof fields.field = (name) => ({ ...fields.field(name), value: form[name] })
  const creation = useMutation({
    async mutationFn() {
      const empresa_id = await owner.settle(form, fields.change)
      return api.send('POST', '/edges', edgeCreationOf({ ...form, empresa_id }), criadaSchema)
    },
    onSuccess({ nome }) {
      void queries.invalidateQueries({ queryKey: ['edges'] })
      announce(t('caixas.anuncio.criada', { nome }))
    },
    onError: fields.refuse,
    // The cache must not keep the code after the dialog closes.
    gcTime: 0,
  })
  if (creation.data)
    return <ActivationCode nome={creation.data.nome} codigo={creation.data} replaces={false} onClose={onClose} />
  return (
    <CameraDialog
      title={t('caixas.formulario.adicionarTitulo')}
      submit={t('caixas.formulario.adicionar')}
      busy={creation.isPending}
      failure={fields.failure}
      onClose={onClose}
      onSubmit={() => fields.accept(checkEdge(form, { needsEmpresa: owner.operator })) && creation.mutate()}
    >
      <div className={dialog.fields} ref={fields.fields}>
        <OwnerFields empresas={owner.empresas} mayCreate={owner.operator} field={field} />
        <TextInput
          label={t('caixas.formulario.nome')}
          placeholder={t('caixas.formulario.nomeExemplo')}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          {...field('nome')}
        />
      </div>
    </CameraDialog>
  )
}
