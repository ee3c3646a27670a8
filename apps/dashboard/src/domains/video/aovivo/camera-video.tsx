import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import {
  IconCamera,
  IconMaximize,
  IconMinimize,
  IconVolume,
  IconVolumeOff,
  IconZoomIn,
  IconZoomOut,
  IconZoomReset,
} from '@tabler/icons-react'
import type { Camera } from '@vigia/contracts/cameras'
import type { Fluxo } from '@vigia/contracts/transmissao'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { CentredRow, Column } from '../../../ui/layout.tsx'
import { useFullScreen } from '../../../ui/use-full-screen.ts'
import classes from './camera-video.module.css'
import { LiveVideo } from './live-video.tsx'
import { NO_ZOOM, transformOf, ZOOM_STEP, zoomAt } from './zoom.ts'
import { ZoomSurface } from './zoom-surface.tsx'

/** Live video of one camera: choice of its stream, sound, full screen, digital zoom and a picture to keep. */
export function CameraVideo({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const { ownAddress } = useServices()
  const [fluxo, setFluxo] = useState<Fluxo>('principal')
  const [ratio, setRatio] = useState(16 / 9)
  const [zoom, setZoom] = useState(NO_ZOOM)
  const [hasAudio, setHasAudio] = useState(false)
  const [isHeard, setHeard] = useState(false)
  const screen = useRef<HTMLDivElement>(null)
  const isFull = useFullScreen()
  const zoomBy = (factor: number) => setZoom((before) => zoomAt(before, factor))

  const toggleFull = () => {
    const change = isFull ? document.exitFullscreen() : screen.current?.requestFullscreen?.()
    change?.catch((error: unknown) => console.warn('vigia: tela cheia recusada', error))
  }
  const size = { aspectRatio: String(ratio), width: `min(100%, calc(70vh * ${ratio}))` }
  return (
    <Column gap={7}>
      <div ref={screen} className={classes.screen} style={isFull ? {} : size}>
        <div className={classes.picture} style={{ transform: transformOf(zoom) }}>
          <LiveVideo
            camera={camera}
            fluxo={fluxo}
            onSize={(width, height) => setRatio(width / height)}
            onAudio={setHasAudio}
            isHeard={isHeard}
          />
        </div>
        <ZoomSurface zoom={zoom} onZoom={setZoom} />
      </div>
      <CentredRow>
        {camera.sub_rtsp_url !== null && (
          <SegmentedControl
            aria-label={t('cameras.vivo.fluxo')}
            data={[
              { value: 'principal', label: t('cameras.vivo.principal') },
              { value: 'secundario', label: t('cameras.vivo.secundario') },
            ]}
            value={fluxo}
            onChange={(value) => setFluxo(value as Fluxo)}
          />
        )}
        <ActionIcon.Group>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('cameras.vivo.afastar')}
            onClick={() => zoomBy(1 / ZOOM_STEP)}
          >
            <IconZoomOut size={18} aria-hidden="true" />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('cameras.vivo.inteira')}
            onClick={() => setZoom(NO_ZOOM)}
          >
            <IconZoomReset size={18} aria-hidden="true" />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('cameras.vivo.aproximar')}
            onClick={() => zoomBy(ZOOM_STEP)}
          >
            <IconZoomIn size={18} aria-hidden="true" />
          </ActionIcon>
        </ActionIcon.Group>
        <Button
          variant="default"
          leftSection={
            isFull ? <IconMinimize size={18} aria-hidden="true" /> : <IconMaximize size={18} aria-hidden="true" />
          }
          onClick={toggleFull}
        >
          {t(isFull ? 'cameras.vivo.sairTelaCheia' : 'cameras.vivo.telaCheia')}
        </Button>
        {hasAudio && (
          <Button
            variant="default"
            leftSection={
              isHeard ? <IconVolumeOff size={18} aria-hidden="true" /> : <IconVolume size={18} aria-hidden="true" />
            }
            onClick={() => setHeard(!isHeard)}
          >
            {t(isHeard ? 'cameras.vivo.calar' : 'cameras.vivo.ouvir')}
          </Button>
        )}
        <Button
          component="a"
          href={ownAddress(`/api/v1/cameras/${camera.id}/snapshot`)}
          download={`vigia-${camera.nome.replace(/[^\p{L}\p{N}]+/gu, '-')}.jpg`}
          variant="default"
          leftSection={<IconCamera size={18} aria-hidden="true" />}
        >
          {t('cameras.vivo.guardar')}
        </Button>
      </CentredRow>
    </Column>
  )
}
