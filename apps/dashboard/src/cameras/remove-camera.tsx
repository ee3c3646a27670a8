import { useMutation } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../api/form-errors.ts'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { CameraDialog } from './camera-dialog.tsx'

export function RemoveCamera({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const removal = useMutation({
    mutationFn: () => api.remove(`/cameras/${camera.id}`),
    onSuccess() {
      queries.setQueriesData<Camera[]>({ queryKey: ['cameras'] }, (list) => list?.filter(({ id }) => id !== camera.id))
      announce(t('cameras.anuncio.removida', { nome: camera.nome }))
      onClose()
    },
  })
  return (
    <CameraDialog
      danger
      title={t('cameras.remocao.titulo')}
      submit={t('cameras.remocao.confirmar')}
      busy={removal.isPending}
      failure={removal.error ? formErrors(removal.error, []).general : null}
      onClose={onClose}
      onSubmit={() => removal.mutate()}
    >
      <p>{t('cameras.remocao.texto', { nome: camera.nome })}</p>
    </CameraDialog>
  )
}
