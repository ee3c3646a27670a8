import { useMutation } from '@tanstack/react-query'
import { type Camera, type CameraPatch, cameraSchema } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { CameraFields } from '../../../domains/locais/cameras/camera-fields.tsx'
import { changeOf, type FormularioCamera, formOf } from '../../../domains/locais/cameras/camera-form.ts'
import { putCamera } from '../../../domains/locais/cameras/put-camera.ts'
import { useCameraForm } from '../../../domains/locais/cameras/use-camera-form.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'

export function EditCamera({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const form = useCameraForm(formOf(camera), { needsEmpresa: false })
  const change = useMutation({
    mutationFn: (patch: CameraPatch) => api.send('PATCH', `/cameras/${camera.id}`, patch, cameraSchema),
    onSuccess(saved) {
      putCamera(queries, saved)
      announce(t('cameras.anuncio.salva', { nome: saved.nome }))
      onClose()
    },
    onError: form.refuse,
  })
  const submit = (values: FormularioCamera) => {
    const patch = changeOf(camera, values)
    if (patch) change.mutate(patch)
    else onClose()
  }
  return (
    <FormDialog
      title={t('cameras.formulario.editarTitulo')}
      submit={t('comum.salvar')}
      busy={change.isPending}
      form={form}
      onClose={onClose}
      onSubmit={submit}
    >
      <CameraFields form={form} owner={null} />
    </FormDialog>
  )
}
