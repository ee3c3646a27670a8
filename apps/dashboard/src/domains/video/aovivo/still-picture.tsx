import { IconVideoOff } from '@tabler/icons-react'
import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { formatAge } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import type { Mosaic } from './mosaic.ts'
import classes from './still-picture.module.css'
import { useStill } from './use-mosaic.ts'

/** Age from which a picture is marked: longer than the longest interval of an edge. */
const STALE_MS = 15_000

/**
 * The newest picture of a camera, or the reason for its absence, over its positioned parent. A frozen picture must not
 * appear live. Its texts are in the area `plantao`.
 */
export function StillPicture({ camera, mosaic, alt }: { camera: Camera; mosaic: Mosaic; alt: string }) {
  const { t } = useTranslation()
  const still = useStill(mosaic, camera.id)
  const now = useNow()
  if (camera.status !== 'online') {
    return (
      <span className={classes.away}>
        <IconVideoOff size={20} aria-hidden="true" />
        {t(`plantao.camera.${camera.status}`)}
      </span>
    )
  }
  if (still === null) return <span className={classes.away}>{t('plantao.camera.semImagem')}</span>
  const isStale = now - still.at > STALE_MS
  return (
    <>
      <img className={classes.picture} src={still.url} alt={alt} />
      {isStale && (
        <span className={classes.stale}>
          {t('plantao.camera.parada', { quando: formatAge(new Date(still.at).toISOString(), now) })}
        </span>
      )}
    </>
  )
}
