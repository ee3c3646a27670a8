import { useMutation } from '@tanstack/react-query'
import type { Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../api/form-errors.ts'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import classes from './box-dialogs.module.css'

export function RemoveBox({ caixa, onClose }: { caixa: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const removal = useMutation({
    mutationFn: () => api.remove(`/edges/${caixa.id}`),
    onSuccess() {
      queries.setQueriesData<Edge[]>({ queryKey: ['caixas'] }, (list) => list?.filter(({ id }) => id !== caixa.id))
      // Its cameras belong to another box now, and its outage is of nobody any more.
      for (const kind of ['cameras', 'quedas']) void queries.invalidateQueries({ queryKey: [kind] })
      announce(t('caixas.anuncio.removida', { nome: caixa.nome }))
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
        <p>{t('caixas.remocao.texto', { nome: caixa.nome })}</p>
        {caixa.cameras > 0 && <p>{t('caixas.remocao.cameras', { count: caixa.cameras })}</p>}
        <p>{t('caixas.remocao.registrados')}</p>
      </div>
    </CameraDialog>
  )
}
