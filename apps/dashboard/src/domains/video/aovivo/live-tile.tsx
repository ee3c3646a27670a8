import type { Camera } from '@vigia/contracts/cameras'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { canPlayLive } from './live-player.ts'
import classes from './live-video.module.css'
import { useLivePlayer } from './use-live-player.ts'

interface LiveTileProps {
  readonly camera: Camera
  /** `aberta`: the large slot. */
  readonly prioridade: 'aberta' | 'mosaico'
}

/** Live video over the still of a tile. It is visible while it plays; otherwise the still below it is. */
export default function LiveTile(props: LiveTileProps) {
  return canPlayLive() ? <Player key={props.camera.id} {...props} /> : null
}

function Player({ camera, prioridade }: LiveTileProps) {
  const video = useRef<HTMLVideoElement>(null)
  const { t } = useTranslation()
  const { estado, fim } = useLivePlayer(video, { camera, fluxo: 'secundario', prioridade })
  return (
    <>
      <video
        ref={video}
        className={classes.tile}
        data-toca={estado === 'toca' || undefined}
        aria-hidden="true"
        tabIndex={-1}
        muted
        playsInline
      />
      {fim === 'sem_banda' && <span className={classes.only}>{t('plantao.camera.semBanda')}</span>}
      {fim === 'sem_conexao_livre' && <span className={classes.only}>{t('plantao.camera.semConexao')}</span>}
      {fim === 'sem_memoria' && <span className={classes.only}>{t('plantao.camera.semMemoria')}</span>}
    </>
  )
}
