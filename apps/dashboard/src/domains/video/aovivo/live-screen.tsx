import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useVisible } from '../../../ui/use-visible.ts'
import { LivePicture, type LivePictureProps } from './live-picture.tsx'
import classes from './live-view.module.css'

/**
 * Live picture of a camera, or the reason why there is none. Each viewer uses the uplink of the site, so that a hidden
 * page closes its stream.
 */
export function LiveScreen({ camera, onLost, ...live }: Omit<LivePictureProps, 'onLost'> & { onLost?: () => void }) {
  const { t } = useTranslation()
  const visible = useVisible()
  const [lost, setLost] = useState<string | null>(null)
  const [status, setStatus] = useState(camera.status)
  if (status !== camera.status) {
    setStatus(camera.status)
    // The reason is over: the page of a camera that has just started would keep it.
    if (camera.status === 'online') setLost(null)
  }
  if (!camera.ativa) return <p className={classes.note}>{t('cameras.vivo.desligada')}</p>
  if (lost !== null)
    return (
      <div className={classes.note} role="alert">
        <p>{lost}</p>
        <Button variant="default" onClick={() => setLost(null)}>
          {t('comum.tentarDeNovo')}
        </Button>
      </div>
    )
  if (!visible) return <p className={classes.note}>{t('cameras.vivo.pausado')}</p>
  return (
    <LivePicture
      camera={camera}
      onLost={(reason) => {
        setLost(reason)
        onLost?.()
      }}
      {...live}
    />
  )
}
