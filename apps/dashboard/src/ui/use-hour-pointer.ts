import { type PointerEvent, useRef } from 'react'
import type { HourBarProps } from './hour-bar-props.ts'
import { lengthOf, nearestStop, zoomed } from './hour-view.ts'

/** A press that moves less far is a click, px. */
const DRAG_PX = 6
/** A mark this near to the pointer is the meant one, px. */
const NEAR_PX = 8

interface Pressed {
  readonly pointerId: number
  readonly clientX: number
  readonly at: number
  isDrag: boolean
}

/** Returns the handlers of a bar: a resting pointer shows, a click chooses, a drag draws a part, two fingers zoom. */
export function useHourPointer({ view, whole, stops, onView, onHover, onChoose, span, onSpan }: HourBarProps) {
  const pressed = useRef<Pressed | null>(null)
  /** Position of each finger by pointer, px. */
  const fingers = useRef(new Map<number, number>())
  const instant = ({ currentTarget, clientX }: PointerEvent, snaps: boolean) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = Math.max(0, Math.min(1, (clientX - left) / width))
    const at = Math.round(view.desde + share * lengthOf(view))
    const stop = snaps && stops ? nearestStop(stops, at, (NEAR_PX / width) * lengthOf(view)) : null
    return stop ?? at
  }
  const pinch = (event: PointerEvent) => {
    const before = [...fingers.current.values()]
    fingers.current.set(event.pointerId, event.clientX)
    const after = [...fingers.current.values()]
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const [a = 0, b = 0] = before
    const [c = 0, d = 0] = after
    const around = view.desde + (((c + d) / 2 - left) / width) * lengthOf(view)
    if (a !== b && c !== d) onView(zoomed(view, whole, Math.abs(c - d) / Math.abs(a - b), around))
  }
  const release = ({ pointerId }: PointerEvent) => {
    fingers.current.delete(pointerId)
    pressed.current = null
  }
  return {
    /** Whether a pointer holds the bar. */
    isPressed: () => fingers.current.size > 0,
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      fingers.current.set(event.pointerId, event.clientX)
      const isAlone = fingers.current.size === 1
      const at = instant(event, false)
      pressed.current = isAlone ? { pointerId: event.pointerId, clientX: event.clientX, at, isDrag: false } : null
      event.currentTarget.setPointerCapture(event.pointerId)
      onHover?.(instant(event, true))
    },
    onPointerMove(event: PointerEvent) {
      if (fingers.current.size > 1) return pinch(event)
      const press = pressed.current
      if (press === null) return onHover?.(instant(event, true))
      if (Math.abs(event.clientX - press.clientX) > DRAG_PX) press.isDrag = true
      if (!press.isDrag) return
      const at = instant(event, false)
      onSpan(at === press.at ? null : { desde: Math.min(at, press.at), ate: Math.max(at, press.at) })
    },
    onPointerUp(event: PointerEvent) {
      const press = pressed.current
      release(event)
      if (press?.pointerId !== event.pointerId || press.isDrag) return
      if (span !== null) onSpan(null)
      onChoose(instant(event, true))
    },
    onPointerCancel: release,
    onPointerLeave: () => onHover?.(null),
  }
}
