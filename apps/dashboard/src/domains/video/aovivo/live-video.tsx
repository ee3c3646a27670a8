import { Loader } from '@mantine/core'
import type { Camera } from '@vigia/contracts/cameras'
import type { Fluxo } from '@vigia/contracts/transmissao'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useVisible } from '../../../ui/use-visible.ts'
import { canPlayLive } from './live-player.ts'
import { LiveScreen } from './live-screen.tsx'
import classes from './live-video.module.css'
import picture from './picture.module.css'
import { useLivePlayer } from './use-live-player.ts'

export interface LiveVideoProps {
  readonly camera: Camera
  readonly fluxo: Fluxo
  readonly prioridade?: 'aberta' | 'mosaico'
  /** Receives the size of the pictures in pixels. */
  readonly onSize?: (width: number, height: number) => void
  /** Receives whether the stream has audio. */
  readonly onAudio?: (hasAudio: boolean) => void
  /** Plays the audio; default: muted. */
  readonly isHeard?: boolean
}

/**
 * Live video of a camera, or a sentence that says why there is none. It connects again by itself. A hidden page closes
 * its stream. Where video is impossible, it shows single frames.
 */
export function LiveVideo({ camera, fluxo, ...props }: LiveVideoProps) {
  const { t } = useTranslation()
  const visible = useVisible()
  if (!camera.ativa) return <p className={classes.note}>{t('cameras.vivo.desligada')}</p>
  if (!visible) return <p className={classes.note}>{t('cameras.vivo.pausado')}</p>
  if (!canPlayLive()) return <LiveScreen camera={camera} />
  return <Player key={`${camera.id} ${fluxo}`} camera={camera} fluxo={fluxo} {...props} />
}

function Player({ camera, fluxo, prioridade = 'aberta', onSize, onAudio, isHeard = false }: LiveVideoProps) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const { estado, motivo, aviso, quadros } = useLivePlayer(video, { camera, fluxo, prioridade, onSize, onAudio })
  if (quadros) return <LiveScreen camera={camera} />
  return (
    <>
      <video
        ref={video}
        className={picture.picture}
        aria-label={t('cameras.vivo.video', { nome: camera.nome })}
        muted={!isHeard}
        playsInline
      />
      {estado === 'chama' && (
        <p className={classes.wait} role="status">
          {motivo ?? (
            <>
              <Loader size={18} aria-hidden="true" /> {t('cameras.vivo.chamando')}
            </>
          )}
        </p>
      )}
      {estado === 'parou' && (
        <p className={picture.stale} role="status">
          {motivo ?? t('cameras.vivo.parada')}
        </p>
      )}
      {aviso !== null && estado === 'toca' && (
        <p className={classes.notice} role="status">
          {aviso}
        </p>
      )}
    </>
  )
}
