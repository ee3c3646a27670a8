import { type Dispatch, type PointerEvent, type SetStateAction, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './camera-video.module.css'
import { panBy, ZOOM_STEP, type Zoom, zoomAt, zoomByKey } from './zoom.ts'

interface Point {
  readonly x: number
  readonly y: number
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

/** Lies over a picture: wheel, two fingers and + − zoom, dragging and arrows move. */
export function ZoomSurface({ zoom, onZoom }: { zoom: Zoom; onZoom: Dispatch<SetStateAction<Zoom>> }) {
  const { t } = useTranslation()
  const surface = useRef<HTMLButtonElement>(null)
  /** Position of each pressed pointer, as fractions of the surface. */
  const pointers = useRef(new Map<number, Point>())

  useEffect(() => {
    const element = surface.current
    // React's own handler cannot prevent the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const at = pointOf(event, element)
      onZoom((before) => zoomAt(before, event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, at))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [onZoom])

  const move = (event: PointerEvent<HTMLButtonElement>) => {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const now = pointOf(event, event.currentTarget)
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, now)
    if (other) {
      const factor = distance(now, other) / Math.max(0.01, distance(before, other))
      onZoom((zoom) => zoomAt(zoom, factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }))
    } else onZoom((zoom) => panBy(zoom, before.x - now.x, before.y - now.y))
  }
  const release = ({ pointerId }: PointerEvent) => pointers.current.delete(pointerId)

  return (
    <button
      ref={surface}
      type="button"
      className={classes.surface}
      aria-label={t('cameras.vivo.zoom')}
      aria-keyshortcuts="+ - 0 ArrowLeft ArrowRight ArrowUp ArrowDown"
      onKeyDown={(event) => {
        const next = zoomByKey(zoom, event.key)
        if (!next || event.ctrlKey || event.altKey || event.metaKey) return
        event.preventDefault()
        onZoom(next)
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        pointers.current.set(event.pointerId, pointOf(event, event.currentTarget))
      }}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
    />
  )
}

function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, element: HTMLElement | null): Point {
  const { left = 0, top = 0, width = 1, height = 1 } = element?.getBoundingClientRect() ?? {}
  return { x: (clientX - left) / width, y: (clientY - top) / height }
}
