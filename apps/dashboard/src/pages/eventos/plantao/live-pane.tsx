import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { TilePicture } from '../../../domains/video/aovivo/tile-picture.tsx'
import { useMosaic } from '../../../domains/video/aovivo/use-mosaic.ts'
import { useVisible } from '../../../ui/use-visible.ts'
import classes from './live-pane.module.css'

interface LivePaneProps {
  /** undefined: it was removed. */
  readonly camera: Camera | undefined
  readonly caption: string
}

/** A camera, live. */
export function LivePane({ camera, caption }: LivePaneProps) {
  const { t } = useTranslation()
  const isVisible = useVisible()
  const id = camera?.id ?? null
  const mosaic = useMosaic(camera?.status === 'online' ? [camera.id] : [], id)
  return (
    <figure className={classes.live}>
      <div className={classes.screen}>
        {camera ? (
          <TilePicture
            key={camera.id}
            camera={camera}
            mosaic={mosaic}
            alt={t('plantao.camera.imagem', { nome: camera.nome })}
            live={isVisible ? 'aberta' : null}
          />
        ) : (
          <p className={classes.none}>{t('plantao.camera.removida')}</p>
        )}
      </div>
      <figcaption className={classes.caption}>{caption}</figcaption>
    </figure>
  )
}
