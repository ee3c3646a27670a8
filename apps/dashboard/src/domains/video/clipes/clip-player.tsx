import { SegmentedControl } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './clip.module.css'
import { ClipStrip } from './clip-strip.tsx'

const SPEEDS = [0.25, 0.5, 1, 2] as const

export interface ClipPlayerProps {
  readonly url: string
  /** The file to download; default: `url`. */
  readonly original?: string
  /** Called if the browser cannot play the file; default: the file is offered. */
  readonly onUnplayable?: () => void
  /** Picture until the first one of the clip is loaded; null: none. */
  readonly poster: string | null
  /** Preview strip; null: none. */
  readonly strip: string | null
  /** Position at which the clip opens. */
  readonly startMs: number
  readonly camera: string
  /** Whether it plays at once, because the person asked for it. */
  readonly autoPlay?: boolean
}

/** A clip with seek and speed. It opens at its event. */
export function ClipPlayer({ url, original, onUnplayable, poster, strip, startMs, camera, autoPlay }: ClipPlayerProps) {
  const { t, i18n } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const [isUnplayable, setUnplayable] = useState(false)
  const [speed, setSpeed] = useState(1)
  /** Seconds; null: not loaded yet. */
  const [position, setPosition] = useState<{ readonly at: number; readonly duration: number } | null>(null)
  const seek = useSeek(video)
  useEffect(() => {
    if (video.current) video.current.playbackRate = speed
  }, [speed])
  if (isUnplayable)
    return (
      <p>
        {t('plantao.clipe.naoReproduz')}{' '}
        <a href={original ?? url} download>
          {t('plantao.clipe.baixar')}
        </a>
      </p>
    )
  const format = new Intl.NumberFormat(i18n.language)
  return (
    <>
      <div className={classes.area}>
        <video
          ref={video}
          className={classes.video}
          src={url}
          {...(poster !== null && { poster })}
          aria-label={t('plantao.clipe.video', { camera })}
          controls
          autoPlay={autoPlay}
          muted
          playsInline
          preload="metadata"
          onLoadedMetadata={({ currentTarget }) => {
            currentTarget.currentTime = Math.min(startMs / 1000, currentTarget.duration)
            currentTarget.playbackRate = speed
          }}
          onTimeUpdate={({ currentTarget: { currentTime, duration } }) => setPosition({ at: currentTime, duration })}
          onError={onUnplayable ?? (() => setUnplayable(true))}
        />
      </div>
      {strip !== null && position !== null && (
        <ClipStrip url={strip} at={position.at} duration={position.duration} event={startMs / 1000} {...seek} />
      )}
      <SegmentedControl
        aria-label={t('plantao.clipe.velocidade')}
        data={SPEEDS.map((value) => ({ value: String(value), label: `${format.format(value)}×` }))}
        value={String(speed)}
        onChange={(value) => setSpeed(Number(value))}
      />
    </>
  )
}

/** Moves the position of a video, for good or while a pointer previews it. A preview never moves a playing video. */
function useSeek(video: RefObject<HTMLVideoElement | null>) {
  /** Position before the preview; null: no preview. */
  const kept = useRef<number | null>(null)
  const goTo = (seconds: number) => {
    if (video.current) video.current.currentTime = seconds
  }
  return {
    onSeek(seconds: number) {
      kept.current = null
      goTo(seconds)
    },
    onPreview(seconds: number | null) {
      if (!video.current?.paused) return
      if (seconds === null) {
        if (kept.current !== null) goTo(kept.current)
        kept.current = null
        return
      }
      kept.current ??= video.current.currentTime
      goTo(seconds)
    },
  }
}
