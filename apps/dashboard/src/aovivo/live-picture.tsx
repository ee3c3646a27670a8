import { Loader } from '@mantine/core'
import type { Camera } from '@vigia/contracts/cameras'
import { VigiaError } from '@vigia/contracts/errors'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../services.ts'
import classes from './live-view.module.css'
import { createMjpegParser } from './mjpeg-parser.ts'

/** The central waits 10 s for the first picture; without an answer by then, something between is broken, ms. */
const FIRST_PICTURE_MS = 15_000
/** A picture this old is no longer what happens now, ms. */
const STALE_MS = 4_000

/**
 * The moving picture of a camera for as long as it is shown; `onLost` is told, as a sentence, why it is not. The stream is read
 * here and not by an <img>, which tells nobody that the pictures have stopped: a picture that stands still must not pass for
 * what happens now.
 */
export function LivePicture({ camera, onLost }: { camera: Camera; onLost: (reason: string) => void }) {
  const { t } = useTranslation()
  const { api, endSession } = useServices()
  const [frame, setFrame] = useState<string | null>(null)
  const [stale, setStale] = useState(false)
  const tell = useRef(onLost)

  useEffect(() => {
    tell.current = onLost
  }, [onLost])

  useEffect(() => {
    const watching = new AbortController()
    const shown: string[] = []
    let lastAt = performance.now()
    let first = true
    const late = () => performance.now() - lastAt > (first ? FIRST_PICTURE_MS : STALE_MS)
    const look = setInterval(() => {
      if (first && late()) watching.abort(new Error('no picture'))
      else setStale(!first && late())
    }, 1000)
    const parser = createMjpegParser((jpeg) => {
      lastAt = performance.now()
      first = false
      setStale(false)
      const url = URL.createObjectURL(new Blob([jpeg], { type: 'image/jpeg' }))
      setFrame(url)
      // The one before is on the screen until this one is read.
      if (shown.push(url) > 2) URL.revokeObjectURL(shown.shift() ?? '')
    })
    let left = false
    async function watch(): Promise<void> {
      try {
        await api.stream(`/cameras/${camera.id}/aovivo`, parser.push, watching.signal)
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
      clearInterval(look)
      watching.abort()
      for (const url of shown) URL.revokeObjectURL(url)
    }
  }, [api, camera.id, endSession, t])

  if (frame === null)
    return (
      <p className={classes.note} role="status">
        <Loader size={18} aria-hidden="true" /> {t('cameras.vivo.chamando')}
      </p>
    )
  return (
    <>
      <img className={classes.picture} src={frame} alt={t('cameras.vivo.imagem', { nome: camera.nome })} />
      {stale && (
        <p className={classes.stale} role="status">
          {t('cameras.vivo.parada')}
        </p>
      )}
    </>
  )
}
