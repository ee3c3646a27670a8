import { Alert } from '@mantine/core'
import type { Camera } from '@vigia/contracts/cameras'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { LiveVideo } from './live-video.tsx'
import classes from './live-view.module.css'
import { RestartCamera } from './restart-camera.tsx'

/** Dialog with the live video of a camera. */
export function LiveView({ camera, mayWrite, onClose }: { camera: Camera; mayWrite: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [attempt, setAttempt] = useState(0)
  return (
    <InfoDialog title={t('cameras.vivo.titulo', { nome: camera.nome })} size="64rem" onClose={onClose}>
      {camera.status === 'offline' && (
        <Alert color="red" variant="light" role="alert" mb="md">
          {[t('cameras.vivo.offline'), camera.status_detalhe].filter(Boolean).join(' ')}
        </Alert>
      )}
      <div className={classes.screen}>
        <LiveVideo key={attempt} camera={camera} fluxo="principal" />
      </div>
      {mayWrite && camera.ativa && <RestartCamera camera={camera} onDone={() => setAttempt((count) => count + 1)} />}
    </InfoDialog>
  )
}
