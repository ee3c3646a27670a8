import { useMutation } from '@tanstack/react-query'
import { type Camera, type CameraPatch, cameraSchema } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { CameraDialog } from './camera-dialog.tsx'
import { CameraFields } from './camera-fields.tsx'
import { changeOf, checkForm, formOf } from './camera-form.ts'
import { putCamera } from './put-camera.ts'
import { useCameraForm } from './use-camera-form.ts'

export function EditCamera({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const fields = useCameraForm(() => formOf(camera))
  const change = useMutation({
    mutationFn: (patch: CameraPatch) => api.send('PATCH', `/cameras/${camera.id}`, patch, cameraSchema),
    onSuccess(saved) {
      putCamera(queries, saved)
      announce(t('cameras.anuncio.salva', { nome: saved.nome }))
      onClose()
    },
    onError: fields.refuse,
  })
  const submit = () => {
    if (!fields.accept(checkForm(fields.form, { needsEmpresa: false }))) return
    const patch = changeOf(camera, fields.form)
    if (patch) change.mutate(patch)
    else onClose()
  }
  return (
    <CameraDialog
      title={t('cameras.formulario.editarTitulo')}
      submit={t('comum.salvar')}
      busy={change.isPending}
      failure={fields.failure}
      onClose={onClose}
      onSubmit={submit}
    >
      <CameraFields
        ref={fields.fields}
        form={fields.form}
        errors={fields.errors}
        onChange={fields.change}
        creation={null}
      />
    </CameraDialog>
  )
}
