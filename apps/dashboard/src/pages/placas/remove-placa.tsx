import type { PlacaListada } from '@vigia/contracts/placas'
import { useTranslation } from 'react-i18next'
import { ConfirmRemoval } from '../../session/confirm-removal.tsx'
import { useServices } from '../../session/services.ts'

export function RemovePlaca({ placa: { id, placa }, onClose }: { placa: PlacaListada; onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  return (
    <ConfirmRemoval
      title={t('placas.listas.remocao.titulo')}
      submit={t('placas.listas.remocao.confirmar')}
      path={`/placas/${id}`}
      announcement={t('placas.listas.anuncio.tirada', { placa })}
      onRemoved={() => void queries.invalidateQueries({ queryKey: ['placas'] })}
      onClose={onClose}
    >
      <p>{t('placas.listas.remocao.texto', { placa })}</p>
    </ConfirmRemoval>
  )
}
