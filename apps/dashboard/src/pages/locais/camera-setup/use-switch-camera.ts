import { useMutation } from '@tanstack/react-query'
import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { putCamera } from '../../../domains/locais/cameras/put-camera.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'

/** Switches a camera on or off. The card shows the new state after the cloud has confirmed it. */
export function useSwitchCamera(camera: Camera) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (ativa: boolean) => api.send('PATCH', `/cameras/${camera.id}`, { ativa }, cameraSchema),
    onSuccess(saved) {
      putCamera(queries, saved)
      announce(t(saved.ativa ? 'cameras.anuncio.ligada' : 'cameras.anuncio.desligada', { nome: saved.nome }))
    },
  })
  return { mutate, isPending, failure: error ? formErrors(error, []).general : null }
}
