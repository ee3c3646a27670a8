import type { KeyboardEvent } from 'react'
import type { HourBarProps } from './hour-bar-props.ts'
import { lengthOf, nextStop, panned, pannedTo, type Span, stepOf, zoomed } from './hour-view.ts'

type Controls = Pick<
  HourBarProps,
  'whole' | 'view' | 'onView' | 'stops' | 'at' | 'onMove' | 'onChoose' | 'span' | 'onSpan'
>

const MINUTE_MS = 60_000
/** A key press draws this share of the view at most; the zoom makes it finer. */
const STEPS = 24

/** Carries out a key of the bar. Keys with Ctrl, Alt or Meta belong to the browser. */
export function hourKeys(event: KeyboardEvent, controls: Controls): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return
  const act = actionOf(event, controls)
  if (act === null) return
  event.preventDefault()
  act()
}

function actionOf({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>, controls: Controls) {
  const { whole, view, onView, at, onChoose, span, onSpan } = controls
  const middle = at !== null && at >= view.desde && at <= view.ate ? at : view.desde + lengthOf(view) / 2
  switch (key) {
    case 'ArrowLeft':
      return () => (shiftKey ? draw(controls, middle, -1) : step(controls, -1))
    case 'ArrowRight':
      return () => (shiftKey ? draw(controls, middle, 1) : step(controls, 1))
    case 'Home':
      return () => move(controls, controls.stops ? controls.stops[0] : whole.desde)
    case 'End':
      return () => move(controls, controls.stops ? controls.stops.at(-1) : whole.ate - MINUTE_MS)
    case 'PageUp':
      return () => onView(panned(view, whole, -lengthOf(view) / 2))
    case 'PageDown':
      return () => onView(panned(view, whole, lengthOf(view) / 2))
    case '+':
    case '=':
      return () => onView(zoomed(view, whole, 2, middle))
    case '-':
      return () => onView(zoomed(view, whole, 0.5, middle))
    case '0':
      return () => onView(whole)
    case 'Enter':
    case ' ':
      return at === null ? null : () => onChoose(at)
    case 'Escape':
      return span === null ? null : () => onSpan(null)
    default:
      return null
  }
}

function move({ view, whole, onView, onMove }: Controls, to: number | null | undefined): void {
  if (to === null || to === undefined) return
  const shown = pannedTo(view, whole, to)
  if (shown !== view) onView(shown)
  onMove(to)
}

function step(controls: Controls, direction: 1 | -1): void {
  const { stops, at, view, whole } = controls
  if (stops) move(controls, nextStop(stops, at, direction))
  else {
    const to = (at ?? view.desde) + direction * MINUTE_MS
    move(controls, Math.max(whole.desde, Math.min(whole.ate - MINUTE_MS, to)))
  }
}

/** Moves the end of the drawn part, which begins at the cursor. */
function draw({ whole, view, onView, span, onSpan }: Controls, from: number, direction: 1 | -1): void {
  const begun: Span = span ?? { desde: Math.round(from), ate: Math.round(from) }
  const ate = Math.min(whole.ate, begun.ate + direction * stepOf(view, STEPS))
  onSpan(ate > begun.desde ? { desde: begun.desde, ate } : null)
  const shown = pannedTo(view, whole, ate)
  if (shown !== view) onView(shown)
}
