import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { InfoDialog } from '../painel/info-dialog.tsx'
import { Quedas } from '../quedas/quedas.tsx'
import classes from './camera-history.module.css'
import { Lacunas } from './lacuna-list.tsx'

/** Quedas and lacunas of a camera. */
export function CameraHistory({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <InfoDialog title={t('cameras.historicoTitulo', { nome: camera.nome })} onClose={onClose}>
      <section className={classes.part}>
        <h3>{t('quedas.daCamera')}</h3>
        <Quedas
          filtro={{ empresa: null, edge: null, camera: camera.id, abertas: false }}
          named={false}
          none={<p className={classes.soft}>{t('quedas.nenhuma')}</p>}
        />
      </section>
      <section className={classes.part}>
        <h3>{t('cameras.faltas.titulo')}</h3>
        <Lacunas camera={camera} />
      </section>
    </InfoDialog>
  )
}
