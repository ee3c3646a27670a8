import { type RefObject, useEffect, useRef } from 'react'
import classes from './hour-bar.module.css'
import type { HourBarProps } from './hour-bar-props.ts'
import { hourKeys } from './hour-keys.ts'
import { lengthOf, panned, zoomed } from './hour-view.ts'
import { styled } from './styled.ts'
import { useHourPointer } from './use-hour-pointer.ts'

/** Frame of a part of a day. Its marks are children in absolute position. */
export const HourFrame = styled('div', classes.bar)

/** Wheel of a mouse that doubles the zoom, px. */
const WHEEL_PX = 240
const MINUTE_MS = 60_000

/**
 * A part of a day as a slider. Arrow keys go from mark to mark; Enter and a click choose. Plus and minus, Ctrl with the
 * wheel, and two fingers zoom. Shift with the arrow keys and a drag draw a part.
 */
export function HourBar(props: HourBarProps) {
  const { label, valueText, hint, className, whole, view, at, span, onHover, onMove, onChoose, children } = props
  const bar = useRef<HTMLDivElement>(null)
  useHourWheel(bar, props)
  const { isPressed, ...pointer } = useHourPointer(props)
  const shareOf = (ms: number) => (100 * (ms - view.desde)) / lengthOf(view)
  const isInside = at !== null && at >= view.desde && at <= view.ate
  const now = Math.max(whole.desde, Math.min(whole.ate, at ?? view.desde))
  return (
    <div
      ref={bar}
      role="slider"
      tabIndex={0}
      className={[classes.bar, classes.slider, className].filter(Boolean).join(' ')}
      aria-label={label}
      aria-describedby={hint}
      aria-valuemin={0}
      aria-valuemax={Math.round(lengthOf(whole) / MINUTE_MS)}
      aria-valuenow={Math.round((now - whole.desde) / MINUTE_MS)}
      aria-valuetext={valueText}
      onKeyDown={(event) => hourKeys(event, props)}
      // The first stop is shown as soon as the keyboard reaches the bar.
      onFocus={() => {
        const [first] = props.stops ?? []
        if (at === null && first !== undefined && !isPressed()) onMove(first)
      }}
      onBlur={() => onHover?.(null)}
      // Without a pointer: a screen reader pressed the bar.
      onClick={({ detail }) => detail === 0 && at !== null && onChoose(at)}
      {...pointer}
    >
      {children}
      {span !== null && (
        <span
          className={classes.span}
          style={{
            insetInlineStart: `${shareOf(span.desde)}%`,
            inlineSize: `${shareOf(span.ate) - shareOf(span.desde)}%`,
          }}
        />
      )}
      {isInside && <span className={classes.cursor} style={{ insetInlineStart: `${shareOf(at)}%` }} />}
    </div>
  )
}

/** Ctrl with the wheel zooms around the pointer; a wheel to the side moves the view. */
function useHourWheel(bar: RefObject<HTMLDivElement | null>, props: HourBarProps): void {
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const element = bar.current
    const onWheel = (event: WheelEvent) => {
      const { view, whole, onView } = latest.current
      const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
      const pan = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
      if (event.ctrlKey) {
        event.preventDefault()
        const around = view.desde + ((event.clientX - left) / width) * lengthOf(view)
        onView(zoomed(view, whole, 2 ** (-event.deltaY / WHEEL_PX), around))
      } else if (Math.abs(pan) > Math.abs(event.shiftKey ? 0 : event.deltaY) && lengthOf(view) < lengthOf(whole)) {
        event.preventDefault()
        onView(panned(view, whole, (pan / width) * lengthOf(view)))
      }
    }
    // React listens passively, and the browser would zoom the page.
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [bar])
}
