import { useMutation } from '@tanstack/react-query'
import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { CameraFields } from '../../../domains/locais/cameras/camera-fields.tsx'
import { creationOf, emptyForm, type FormularioCamera } from '../../../domains/locais/cameras/camera-form.ts'
import { useCameraForm } from '../../../domains/locais/cameras/use-camera-form.ts'
import { useOwner } from '../../../domains/locais/cameras/use-owner.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'

/** The form of a new camera. The operator belongs to no Empresa and therefore also chooses one. */
export function AddCamera({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner({ creates: true })
  const form = useCameraForm(emptyForm, { needsEmpresa: true })

  const creation = useMutation({
    async mutationFn(values: FormularioCamera): Promise<Camera> {
      const empresa_id = await owner.settle(form)
      return api.send('POST', '/cameras', creationOf({ ...values, empresa_id }), cameraSchema)
    },
    onSuccess(camera) {
      void queries.invalidateQueries({ queryKey: ['cameras'] })
      announce(t('cameras.anuncio.criada', { nome: camera.nome }))
      onClose()
    },
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('cameras.formulario.adicionarTitulo')}
      submit={t('cameras.formulario.adicionar')}
      busy={creation.isPending}
      form={form}
      onClose={onClose}
      onSubmit={creation.mutate}
    >
      <CameraFields form={form} owner={owner} />
    </FormDialog>
  )
}
