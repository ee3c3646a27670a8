import { ActionIcon } from '@mantine/core'
import {
  IconArrowsMove,
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconChevronUp,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './ptz.module.css'
import type { PtzMover } from './ptz-mover.ts'
import { isMoveKey, KEY_SPEED, velocityOfKeys, velocityOfPointer } from './stick.ts'

/** Moves the camera while it is pressed: by pointer, finger, arrow keys, and the keys + and −. */
export function Joystick({ mover }: { mover: PtzMover }) {
  const { t } = useTranslation()
  const held = useRef(new Set<string>())
  useEffect(() => () => mover.release(), [mover])
  const apply = () => {
    const velocity = velocityOfKeys(held.current)
    if (velocity) mover.hold(velocity)
    else mover.release()
  }
  const release = () => {
    held.current.clear()
    mover.release()
  }
  const follow = (event: PointerEvent<HTMLButtonElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const velocity = velocityOfPointer(
      (event.clientX - left - width / 2) / (width / 2),
      (event.clientY - top - height / 2) / (height / 2),
    )
    if (velocity) mover.hold(velocity)
    else mover.release()
  }
  return (
    <div className={classes.controls}>
      <button
        type="button"
        className={classes.stick}
        aria-label={t('camera.ptz.alavanca')}
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown + -"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          follow(event)
        }}
        onPointerMove={follow}
        onLostPointerCapture={release}
        onKeyDown={(event) => {
          if (!isMoveKey(event.key) || event.ctrlKey || event.altKey || event.metaKey) return
          event.preventDefault()
          event.stopPropagation()
          held.current.add(event.key)
          apply()
        }}
        onKeyUp={({ key }) => {
          if (held.current.delete(key)) apply()
        }}
        onBlur={release}
      >
        <IconChevronUp aria-hidden="true" />
        <IconChevronLeft aria-hidden="true" />
        <IconArrowsMove aria-hidden="true" />
        <IconChevronRight aria-hidden="true" />
        <IconChevronDown aria-hidden="true" />
      </button>
      <div className={classes.zoom}>
        <HoldButton label={t('camera.ptz.aproximar')} mover={mover} zoom={KEY_SPEED}>
          <IconZoomIn aria-hidden="true" />
        </HoldButton>
        <HoldButton label={t('camera.ptz.afastar')} mover={mover} zoom={-KEY_SPEED}>
          <IconZoomOut aria-hidden="true" />
        </HoldButton>
      </div>
    </div>
  )
}

interface HoldButtonProps {
  readonly label: string
  readonly mover: PtzMover
  readonly zoom: number
  readonly children: ReactNode
}

/** A button that zooms while it is held. */
function HoldButton({ label, mover, zoom, children }: HoldButtonProps) {
  const hold = () => mover.hold({ x: 0, y: 0, zoom })
  return (
    <ActionIcon
      variant="default"
      size={44}
      aria-label={label}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        hold()
      }}
      onLostPointerCapture={() => mover.release()}
      onKeyDown={({ key }) => {
        if (key === 'Enter' || key === ' ') hold()
      }}
      onKeyUp={() => mover.release()}
      onBlur={() => mover.release()}
    >
      {children}
    </ActionIcon>
  )
}
