import { useNavigate } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'

export function RemoveCamera({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  const navigate = useNavigate()
  return (
    <ConfirmRemoval
      title={t('cameras.remocao.titulo')}
      submit={t('cameras.remocao.confirmar')}
      path={`/cameras/${camera.id}`}
      announcement={t('cameras.anuncio.removida', { nome: camera.nome })}
      onRemoved={() => {
        queries.setQueriesData<Camera[]>({ queryKey: ['cameras'] }, (list) =>
          list?.filter(({ id }) => id !== camera.id),
        )
        void navigate({ to: '/cameras' })
      }}
      onClose={onClose}
    >
      <p>{t('cameras.remocao.texto', { nome: camera.nome })}</p>
    </ConfirmRemoval>
  )
}
