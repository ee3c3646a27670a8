import { useMutation } from '@tanstack/react-query'
import type { Chave } from '@vigia/contracts/chaves'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../api/form-errors.ts'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'

export function RemoveChave({ chave: { id, nome }, onClose }: { chave: Chave; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const removal = useMutation({
    mutationFn: () => api.remove(`/chaves/${id}`),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['chaves'] })
      announce(t('chaves.anuncio.apagada', { nome }))
      onClose()
    },
  })
  return (
    <CameraDialog
      danger
      title={t('chaves.remocao.titulo')}
      submit={t('chaves.remocao.confirmar')}
      busy={removal.isPending}
      failure={removal.error ? formErrors(removal.error, []).general : null}
      onClose={onClose}
      onSubmit={() => removal.mutate()}
    >
      <p>{t('chaves.remocao.texto', { nome })}</p>
    </CameraDialog>
  )
}
