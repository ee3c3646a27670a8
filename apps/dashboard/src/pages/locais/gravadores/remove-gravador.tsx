import { useMutation, useQuery } from '@tanstack/react-query'
import type { Gravador } from '@vigia/contracts/gravadores'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { shownName } from './gravador-cells.tsx'

/** Asks before a gravador is removed together with its cameras, whose eventos stay. */
export function RemoveGravador({ gravador, onClose }: { gravador: Gravador; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { data } = useQuery(camerasQuery(api, gravador.empresa_id))
  const cameras = data?.filter(({ gravador_id }) => gravador_id === gravador.id) ?? []
  const nome = shownName(gravador)
  const removal = useMutation({
    async mutationFn() {
      for (const { id } of cameras) await api.remove(`/cameras/${id}`)
      await api.remove(`/gravadores/${gravador.id}`)
    },
    onSuccess() {
      announce(t('gravadores.removido', { nome }))
      onClose()
    },
    // A removal that ended half-way shows what is left.
    onSettled() {
      for (const queryKey of [['gravadores'], ['cameras'], ['limites']]) void queries.invalidateQueries({ queryKey })
    },
  })
  return (
    <Dialog
      danger
      title={t('gravadores.removerTitulo')}
      submit={t('gravadores.removerConfirmar')}
      busy={removal.isPending || !data}
      failure={removal.error ? formErrors(removal.error, []).general : null}
      onClose={onClose}
      onSubmit={() => removal.mutate()}
    >
      <p>{t('gravadores.removerTexto', { nome })}</p>
      {cameras.length > 0 && <p>{t('gravadores.removerCameras', { count: cameras.length })}</p>}
      <ul>
        {cameras.map((camera) => (
          <li key={camera.id}>{camera.nome}</li>
        ))}
      </ul>
    </Dialog>
  )
}
