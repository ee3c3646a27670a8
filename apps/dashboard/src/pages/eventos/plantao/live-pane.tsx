import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { TilePicture } from '../../../domains/video/aovivo/tile-picture.tsx'
import { useMosaic } from '../../../domains/video/aovivo/use-mosaic.ts'
import { useVisible } from '../../../ui/use-visible.ts'
import classes from './live-pane.module.css'

/** The camera of the selected incidente now. @param camera undefined: it was removed */
export function LivePane({ camera }: { camera: Camera | undefined }) {
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
      <figcaption className={classes.caption}>{t('plantao.camera.agora')}</figcaption>
    </figure>
  )
}
