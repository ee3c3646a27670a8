import type { Chave } from '@vigia/contracts/chaves'
import { useTranslation } from 'react-i18next'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'

export function RemoveChave({ chave: { id, nome }, onClose }: { chave: Chave; onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  return (
    <ConfirmRemoval
      title={t('chaves.remocao.titulo')}
      submit={t('chaves.remocao.confirmar')}
      path={`/chaves/${id}`}
      announcement={t('chaves.anuncio.apagada', { nome })}
      onRemoved={() => void queries.invalidateQueries({ queryKey: ['chaves'] })}
      onClose={onClose}
    >
      <p>{t('chaves.remocao.texto', { nome })}</p>
    </ConfirmRemoval>
  )
}
