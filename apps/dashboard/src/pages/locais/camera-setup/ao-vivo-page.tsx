import { Alert, SegmentedControl, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LastFrame } from '../../../domains/locais/cameras/last-frame.tsx'
import { useCamera, useMayWrite } from '../../../domains/locais/cameras/use-camera.tsx'
import { PtzPanel } from '../../../domains/locais/ptz/ptz-panel.tsx'
import { CameraVideo } from '../../../domains/video/aovivo/camera-video.tsx'
import type { FrameDetections } from '../../../domains/video/aovivo/mjpeg-parser.ts'
import { RestartCamera } from '../../../domains/video/aovivo/restart-camera.tsx'
import { Soft } from '../../../ui/page.tsx'
import boardClasses from './board.module.css'
import { Board } from './board.tsx'
import classes from './camera.module.css'
import { drawingOf } from './drawing.ts'
import { DrawingLayer } from './drawing-layer.tsx'
import { lineDirection } from './line-direction.ts'
import { StreamFacts } from './stream-facts.tsx'
import { WatchedList } from './watched-list.tsx'

/** The live video, or the analysed picture, the facts of the stream, and the restart. */
export function AoVivoPage() {
  const { t } = useTranslation()
  const camera = useCamera()
  const mayWrite = useMayWrite()
  const [attempt, setAttempt] = useState(0)
  const [mode, setMode] = useState('video')
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        {camera.status === 'offline' && (
          <Alert color="red" variant="light" role="alert" mb="md">
            {t('cameras.vivo.offline')}
          </Alert>
        )}
        <SegmentedControl
          aria-label={t('camera.aoVivo.modo')}
          mb="sm"
          data={[
            { value: 'video', label: t('camera.aoVivo.video') },
            { value: 'analise', label: t('camera.aoVivo.analise') },
          ]}
          value={mode}
          onChange={setMode}
        />
        {mode === 'video' ? <CameraVideo key={attempt} camera={camera} /> : <Analysis key={attempt} />}
        <PtzPanel camera={camera} />
      </div>
      <div className={classes.side}>
        <WatchedList camera={camera} />
        <StreamFacts camera={camera} />
        <LastFrame camera={camera} />
        {mayWrite && camera.ativa && <RestartCamera camera={camera} onDone={() => setAttempt((count) => count + 1)} />}
      </div>
    </div>
  )
}

/** The analysed picture with the boxes of the last inference, zones and line. */
function Analysis() {
  const { t } = useTranslation()
  const camera = useCamera()
  const [detections, setDetections] = useState<FrameDetections>(null)
  const [showShapes, setShowShapes] = useState(true)
  const drawing = drawingOf(camera)
  return (
    <>
      <Board onDetections={setDetections} detections={detections}>
        {({ width, height }) =>
          showShapes && (
            <svg className={boardClasses.layer} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
              <DrawingLayer drawing={drawing} size={{ width, height }} direcao={lineDirection(camera)} />
            </svg>
          )
        }
      </Board>
      {(drawing.zonas.length > 0 || drawing.linha !== null) && (
        <Switch
          label={t('camera.aoVivo.mostrarZonas')}
          checked={showShapes}
          onChange={(event) => setShowShapes(event.currentTarget.checked)}
        />
      )}
      <Soft>{t('camera.aoVivo.atraso')}</Soft>
    </>
  )
}
