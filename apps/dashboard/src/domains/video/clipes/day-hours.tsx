import { ActionIcon } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClockMinute } from '../../../base/tempo/format-time.ts'
import { lengthOf, panned, SHORTEST_MS, type Span, stepOf, ticksOf, zoomed } from '../../../ui/hour-view.ts'
import classes from './day-hours.module.css'

interface DayHoursProps {
  readonly whole: Span
  readonly view: Span
  readonly onView: (view: Span) => void
}

/** Intervals between the hours of a wide and of a narrow bar. */
const WIDE = 12
const NARROW = 4
/** Share of the view from its ends within which an hour is not centred. */
const END = 0.04
/** An hour this near to an end is left out if the end has one. */
const NEAR = 0.1

/** The hours above bars; a narrow bar shows every second or third one. */
export function DayHours({ whole, view, fuso }: Omit<DayHoursProps, 'onView'> & { readonly fuso: Fuso }) {
  const wide = stepOf(view, WIDE)
  const narrow = Math.ceil(lengthOf(view) / NARROW / wide) * wide
  const ticks = ticksOf(view, whole, WIDE).map((at) => ({ at, share: (at - view.desde) / lengthOf(view) }))
  // An hour at an end is not centred, and would touch the one beside it.
  const isCrowded = (share: number) =>
    (share > END && share < NEAR && (ticks[0]?.share ?? 1) <= END) ||
    (share < 1 - END && share > 1 - NEAR && (ticks.at(-1)?.share ?? 0) >= 1 - END)
  return (
    <div className={classes.hours} aria-hidden="true">
      {ticks.map(
        ({ at, share }) =>
          !isCrowded(share) && (
            <span
              key={at}
              data-end={share <= END ? 'start' : share >= 1 - END ? 'end' : undefined}
              data-extra={(at - whole.desde) % narrow !== 0}
              style={{ insetInlineStart: `${100 * share}%` }}
            >
              {formatClockMinute(new Date(at).toISOString(), fuso)}
            </span>
          ),
      )}
    </div>
  )
}

/** Buttons that zoom the bars, and move what they show. */
export function DayZoom({ whole, view, onView }: DayHoursProps) {
  const { t } = useTranslation()
  const isWhole = lengthOf(view) >= lengthOf(whole)
  const middle = view.desde + lengthOf(view) / 2
  const buttons = [
    ['antes', '‹', view.desde <= whole.desde, panned(view, whole, -lengthOf(view) / 2)],
    ['menos', '−', isWhole, zoomed(view, whole, 0.5, middle)],
    ['tudo', '↔', isWhole, whole],
    ['mais', '+', lengthOf(view) <= SHORTEST_MS, zoomed(view, whole, 2, middle)],
    ['depois', '›', view.ate >= whole.ate, panned(view, whole, lengthOf(view) / 2)],
  ] as const
  return (
    <ActionIcon.Group aria-label={t('linhaDoTempo.zoom.titulo')}>
      {buttons.map(([name, sign, isOff, next]) => (
        <ActionIcon
          key={name}
          variant="default"
          size={36}
          aria-label={t(`linhaDoTempo.zoom.${name}`)}
          title={t(`linhaDoTempo.zoom.${name}`)}
          // It keeps the focus of a person who presses it again.
          {...(isOff && { 'data-disabled': true })}
          aria-disabled={isOff}
          onClick={() => isOff || onView(next)}
        >
          <span aria-hidden="true">{sign}</span>
        </ActionIcon>
      ))}
    </ActionIcon.Group>
  )
}
