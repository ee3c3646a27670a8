import type { Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'
import { DialogText } from '../../../ui/dialog.tsx'

export function RemoveEdge({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  const onRemoved = () => {
    queries.setQueriesData<Edge[]>({ queryKey: ['edges'] }, (list) => list?.filter(({ id }) => id !== edge.id))
    // Its cameras move to another edge and its queda disappears.
    for (const kind of ['cameras', 'quedas']) void queries.invalidateQueries({ queryKey: [kind] })
  }
  return (
    <ConfirmRemoval
      title={t('caixas.remocao.titulo')}
      submit={t('caixas.remocao.confirmar')}
      path={`/edges/${edge.id}`}
      announcement={t('caixas.anuncio.removida', { nome: edge.nome })}
      onRemoved={onRemoved}
      onClose={onClose}
    >
      <DialogText>
        <p>{t('caixas.remocao.texto', { nome: edge.nome })}</p>
        {edge.cameras > 0 && <p>{t('caixas.remocao.cameras', { count: edge.cameras })}</p>}
        <p>{t('caixas.remocao.registrados')}</p>
      </DialogText>
    </ConfirmRemoval>
  )
}
