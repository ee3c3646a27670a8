import { Loader } from '@mantine/core'
import type { Camera } from '@vigia/contracts/cameras'
import { VigiaError } from '@vigia/contracts/errors'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import classes from './live-view.module.css'
import { createMjpegParser, type FrameDetections } from './mjpeg-parser.ts'
import picture from './picture.module.css'

/** Time limit for the first picture. The cloud itself waits 10 s for it. */
const FIRST_PICTURE_MS = 15_000
/** Age from which a picture counts as stale. */
const STALE_MS = 4_000

export interface LivePictureProps {
  readonly camera: Camera
  /** Query of the request (`?fps=4`); empty: the default size and rate. */
  readonly view?: string
  /** Receives the reason for the end of the stream as a Portuguese sentence. */
  readonly onLost: (reason: string) => void
  /** Receives the detections of each frame. */
  readonly onDetections?: ((detections: FrameDetections) => void) | undefined
  /** Receives the size of the frames in pixels. */
  readonly onSize?: ((width: number, height: number) => void) | undefined
}

/**
 * Live video of a camera. An <img> would not report that the stream stopped, and a frozen picture must not appear live.
 * The component therefore reads the stream itself.
 */
export function LivePicture({ camera, view = '', onLost, onDetections, onSize }: LivePictureProps) {
  const { t } = useTranslation()
  const { api, endSession } = useServices()
  const [frame, setFrame] = useState<string | null>(null)
  const [stale, setStale] = useState(false)
  const tell = useRef(onLost)
  const show = useRef(onDetections)

  useEffect(() => {
    tell.current = onLost
    show.current = onDetections
  }, [onLost, onDetections])

  useEffect(() => {
    const watching = new AbortController()
    const shown: string[] = []
    let lastAt = performance.now()
    let first = true
    const late = () => performance.now() - lastAt > (first ? FIRST_PICTURE_MS : STALE_MS)
    const ageCheck = setInterval(() => {
      if (first && late()) watching.abort(new Error('no picture'))
      else setStale(!first && late())
    }, 1000)
    const parser = createMjpegParser((jpeg, detections) => {
      lastAt = performance.now()
      first = false
      setStale(false)
      const url = URL.createObjectURL(new Blob([jpeg], { type: 'image/jpeg' }))
      setFrame(url)
      show.current?.(detections)
      // The previous picture stays on the screen until this one is decoded.
      if (shown.push(url) > 2) URL.revokeObjectURL(shown.shift() ?? '')
    })
    let left = false
    async function watch(): Promise<void> {
      try {
        await api.stream(`/cameras/${camera.id}/aovivo${view}`, parser.push, watching.signal)
        tell.current(t('cameras.vivo.acabou'))
      } catch (error) {
        if (left) return
        const known = error instanceof VigiaError
        if (known && error.code === 'nao_autenticado') return endSession()
        if (!known) console.warn('vigia: imagem ao vivo interrompida', error)
        tell.current(known ? error.detalhe : t(first ? 'cameras.vivo.naoChegou' : 'cameras.vivo.acabou'))
      }
    }
    void watch()
    return () => {
      left = true
      clearInterval(ageCheck)
      watching.abort()
      for (const url of shown) URL.revokeObjectURL(url)
    }
  }, [api, camera.id, view, endSession, t])

  if (frame === null)
    return (
      <p className={classes.note} role="status">
        <Loader size={18} aria-hidden="true" /> {t('cameras.vivo.chamando')}
      </p>
    )
  return (
    <>
      <img
        className={picture.picture}
        src={frame}
        alt={t('cameras.vivo.imagem', { nome: camera.nome })}
        onLoad={({ currentTarget }) => onSize?.(currentTarget.naturalWidth, currentTarget.naturalHeight)}
      />
      {stale && (
        <p className={picture.stale} role="status">
          {t('cameras.vivo.parada')}
        </p>
      )}
    </>
  )
}
