import { type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './clip.module.css'

/** Seconds that an arrow key moves. */
const KEY_S = 0.5

interface ClipStripProps {
  /** Pictures of the clip side by side, in order. */
  readonly url: string
  /** Position and duration of the clip, and position of the event in it, in seconds. */
  readonly at: number
  readonly duration: number
  readonly event: number
  readonly onSeek: (seconds: number) => void
  /** The position under the pointer; null: the pointer has left. */
  readonly onPreview: (seconds: number | null) => void
}

/** The preview strip as a slider: the pointer shows its position, a click or the arrow keys go there. */
export function ClipStrip({ url, at, duration, event, onSeek, onPreview }: ClipStripProps) {
  const { t, i18n } = useTranslation()
  const seconds = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 })
  /** Position of the last pointer event, in CSS pixels; null: the pointer is elsewhere. */
  const pointerX = useRef<number | null>(null)
  const preview = ({ currentTarget, clientX, pointerType }: PointerEvent<HTMLInputElement>) => {
    const before = pointerX.current
    pointerX.current = clientX
    // A finger drags the slider itself. A browser also reports a resting mouse when the page below it moves.
    if (pointerType !== 'mouse' || before === null || before === clientX) return
    const { left, width } = currentTarget.getBoundingClientRect()
    onPreview(Math.min(1, Math.max(0, (clientX - left) / width)) * duration)
  }
  const leave = () => {
    pointerX.current = null
    onPreview(null)
  }
  const share = (value: number) => `${(100 * value) / duration}%`
  return (
    <div className={classes.strip}>
      <img src={url} alt="" decoding="async" />
      <span className={classes.event} style={{ left: share(event) }} aria-hidden="true" />
      <span className={classes.at} style={{ left: share(at) }} aria-hidden="true" />
      <input
        type="range"
        aria-label={t('plantao.clipe.posicao')}
        aria-valuetext={t('plantao.clipe.posicaoDe', { em: seconds.format(at), total: seconds.format(duration) })}
        min={0}
        max={duration}
        step={KEY_S}
        // Another value than the browser's own would count as a change.
        value={Math.min(Math.round(at / KEY_S), Math.floor(duration / KEY_S)) * KEY_S}
        onChange={({ currentTarget }) => onSeek(Number(currentTarget.value))}
        onPointerMove={preview}
        onPointerLeave={leave}
      />
    </div>
  )
}
