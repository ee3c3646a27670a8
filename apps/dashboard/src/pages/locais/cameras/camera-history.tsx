import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { Quedas } from '../../../domains/eventos/quedas/quedas.tsx'
import { Lacunas } from '../../../domains/locais/cameras/lacuna-list.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { Soft } from '../../../ui/page.tsx'
import { Part } from '../../../ui/section.tsx'

/** Quedas and lacunas of a camera. */
export function CameraHistory({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <InfoDialog title={t('cameras.historicoTitulo', { nome: camera.nome })} onClose={onClose}>
      <Part>
        <h3>{t('quedas.daCamera')}</h3>
        <Quedas
          filtro={{ empresa: null, edge: null, camera: camera.id, abertas: false }}
          named={false}
          none={<Soft>{t('quedas.nenhuma')}</Soft>}
        />
      </Part>
      <Part>
        <h3>{t('cameras.faltas.titulo')}</h3>
        <Lacunas camera={camera} />
      </Part>
    </InfoDialog>
  )
}
