import { useMutation } from '@tanstack/react-query'
import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { CameraDialog } from './camera-dialog.tsx'
import { CameraFields } from './camera-fields.tsx'
import { checkForm, creationOf, emptyForm } from './camera-form.ts'
import { useCameraForm } from './use-camera-form.ts'
import { useOwner } from './use-owner.ts'

/** The form of a new camera. The operator belongs to no Empresa and therefore also chooses one. */
export function AddCamera({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner()
  const fields = useCameraForm(() => emptyForm(owner.initial))
  const form = { ...fields.form, empresa_id: fields.form.empresa_id || owner.obvious }

  const creation = useMutation({
    async mutationFn(): Promise<Camera> {
      const empresa_id = await owner.settle(form, fields.change)
      return api.send('POST', '/cameras', creationOf({ ...form, empresa_id }), cameraSchema)
    },
    onSuccess(camera) {
      void queries.invalidateQueries({ queryKey: ['cameras'] })
      announce(t('cameras.anuncio.criada', { nome: camera.nome }))
      onClose()
    },
    onError: fields.refuse,
  })
  return (
    <CameraDialog
      title={t('cameras.formulario.adicionarTitulo')}
      submit={t('cameras.formulario.adicionar')}
      busy={creation.isPending}
      failure={fields.failure}
      onClose={onClose}
      onSubmit={() => fields.accept(checkForm(form, { needsEmpresa: owner.operator })) && creation.mutate()}
    >
      <CameraFields
        ref={fields.fields}
        form={form}
        errors={fields.errors}
        onChange={fields.change}
        creation={{ empresas: owner.empresas, mayCreate: owner.operator }}
      />
    </CameraDialog>
  )
}
