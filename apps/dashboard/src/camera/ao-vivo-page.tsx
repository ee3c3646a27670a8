import { Alert } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FrameDetections } from '../aovivo/mjpeg-parser.ts'
import { RestartCamera } from '../aovivo/restart-camera.tsx'
import { LastFrame } from '../cameras/last-frame.tsx'
import { Board } from './board.tsx'
import classes from './camera.module.css'
import { StreamFacts } from './stream-facts.tsx'
import { useCamera, useMayWrite } from './use-camera.tsx'

/** The live picture with what the last inference saw, the facts of the stream, and the restart. */
export function AoVivoPage() {
  const { t } = useTranslation()
  const camera = useCamera()
  const mayWrite = useMayWrite()
  const [attempt, setAttempt] = useState(0)
  const [detections, setDetections] = useState<FrameDetections>(null)
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        {camera.status === 'offline' && (
          <Alert color="red" variant="light" role="alert" mb="md">
            {t('cameras.vivo.offline')}
          </Alert>
        )}
        <Board key={attempt} onDetections={setDetections} detections={detections} />
      </div>
      <div className={classes.side}>
        <StreamFacts camera={camera} />
        <LastFrame camera={camera} />
        {mayWrite && camera.ativa && <RestartCamera camera={camera} onDone={() => setAttempt((count) => count + 1)} />}
      </div>
    </div>
  )
}
