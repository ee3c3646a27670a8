import { useMutation } from '@tanstack/react-query'
import type { Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../api/form-errors.ts'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import classes from './edge-dialogs.module.css'

export function RemoveEdge({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const removal = useMutation({
    mutationFn: () => api.remove(`/edges/${edge.id}`),
    onSuccess() {
      queries.setQueriesData<Edge[]>({ queryKey: ['edges'] }, (list) => list?.filter(({ id }) => id !== edge.id))
      // Its cameras move to another edge and its queda disappears.
      for (const kind of ['cameras', 'quedas']) void queries.invalidateQueries({ queryKey: [kind] })
      announce(t('caixas.anuncio.removida', { nome: edge.nome }))
      onClose()
    },
  })
  return (
    <CameraDialog
      danger
      title={t('caixas.remocao.titulo')}
      submit={t('caixas.remocao.confirmar')}
      busy={removal.isPending}
      failure={removal.error ? formErrors(removal.error, []).general : null}
      onClose={onClose}
      onSubmit={() => removal.mutate()}
    >
      <div className={classes.text}>
        <p>{t('caixas.remocao.texto', { nome: edge.nome })}</p>
        {edge.cameras > 0 && <p>{t('caixas.remocao.cameras', { count: edge.cameras })}</p>}
        <p>{t('caixas.remocao.registrados')}</p>
      </div>
    </CameraDialog>
  )
}
