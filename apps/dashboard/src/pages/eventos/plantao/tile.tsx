import { IconBellOff } from '@tabler/icons-react'
import type { Camera } from '@vigia/contracts/cameras'
import type { Gravidade } from '@vigia/contracts/ias'
import { lazy, memo, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClockMinute } from '../../../base/tempo/format-time.ts'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import type { Mosaic } from '../../../domains/video/aovivo/mosaic.ts'
import { StillPicture } from '../../../domains/video/aovivo/still-picture.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import classes from './tile.module.css'

/** Loaded when the first tile goes live. */
const LiveTile = lazy(() => import('../../../domains/video/aovivo/live-tile.tsx'))

interface TileProps {
  readonly camera: Camera
  readonly mosaic: Mosaic
  readonly isVisible: boolean
  readonly isLarge: boolean
  /** Something moves: the tile shows live video. */
  readonly isLive: boolean
  /** Highest severity of its unanswered incidentes; null: none. */
  readonly gravidade: Gravidade | null
  readonly onShow: (cameraId: number) => void
}

/** One camera of the mosaic, always in the same position. */
export const Tile = memo(({ camera, mosaic, isVisible, isLarge, isLive, gravidade, onShow }: TileProps) => {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(camera.empresa_id)
  const { id, nome, silencio } = camera
  return (
    <button
      type="button"
      className={classes.tile}
      data-gravidade={gravidade ?? undefined}
      aria-pressed={isLarge}
      title={t('plantao.camera.mostrar', { nome })}
      onClick={() => onShow(id)}
    >
      <span className={classes.screen}>
        {isVisible && (
          <TilePicture camera={camera} mosaic={mosaic} alt="" live={isLive && !isLarge ? 'mosaico' : null} />
        )}
        {gravidade && <SeverityTag gravidade={gravidade} className={classes.severity} />}
      </span>
      <span className={classes.name}>
        <span>{nome}</span>
        {silencio && (
          <IconBellOff
            size={15}
            role="img"
            aria-label={t('plantao.camera.silenciada', {
              hora: formatClockMinute(silencio.ate, fuso),
              por: silencio.por,
            })}
          />
        )}
      </span>
    </button>
  )
})

interface TilePictureProps {
  readonly camera: Camera
  readonly mosaic: Mosaic
  readonly alt: string
  /** Priority of its live video; null: only the still. */
  readonly live: 'aberta' | 'mosaico' | null
}

/** The still of a camera, and live video over it. */
export function TilePicture({ live, ...still }: TilePictureProps) {
  return (
    <>
      <StillPicture {...still} />
      {live && still.camera.status === 'online' && (
        <Suspense>
          <LiveTile camera={still.camera} prioridade={live} />
        </Suspense>
      )}
    </>
  )
}
