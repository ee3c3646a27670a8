import type { Point } from '@vigia/ias/geometry'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './board.module.css'
import type { BoardSize } from './board.tsx'
import {
  type Drawing,
  insertPoint,
  isSame,
  movePoint,
  moveShape,
  pointsOf,
  removePoint,
  type Shape,
} from './drawing.ts'
import { DrawingLayer } from './drawing-layer.tsx'
import { fractionAt, scaled } from './pixels.ts'
import { useShapeName } from './shape-name.ts'

export interface ShapeEditorProps {
  readonly drawing: Drawing
  readonly size: BoardSize
  readonly direcao: number
  readonly selected: Shape | null
  /** Points of the shape that is being drawn; null: nothing is. */
  readonly draft: readonly Point[] | null
  readonly onSelect: (shape: Shape | null) => void
  /** Receives one step of the undo history. */
  readonly onChange: (drawing: Drawing) => void
  readonly onDraftPoint: (point: Point) => void
}

interface Drag {
  readonly shape: Shape
  /** null: the whole shape. */
  readonly index: number | null
  readonly start: Point
  readonly base: Drawing
  /** Drawing at the last movement. The state lags behind it: a pointer may move and end before the next render. */
  latest: Drawing
}

/** Step of an arrow key as a fraction of the frame; with Shift the larger one. */
const KEY_STEP = 0.005
const KEY_STEP_LARGE = 0.05
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Shapes over the picture that a pointer drags, with a button for each point of the selected one. */
export function ShapeEditor(props: ShapeEditorProps) {
  const { drawing, size, direcao, selected, draft, onSelect, onChange, onDraftPoint } = props
  const board = useRef<SVGSVGElement>(null)
  const drag = useRef<Drag | null>(null)
  const [moved, setMoved] = useState<Drawing | null>(null)
  const shown = moved ?? drawing

  const fractionOf = (event: PointerEvent): Point =>
    fractionAt(event, board.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1, height: 1 })

  const begin = (event: PointerEvent, shape: Shape, index: number | null, base: Drawing) => {
    if (draft !== null || event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { shape, index, start: fractionOf(event), base, latest: base }
    onSelect(shape)
    if (!isSame(base, drawing)) setMoved(base)
  }
  const follow = (event: PointerEvent) => {
    const held = drag.current
    if (held === null) return
    const at = fractionOf(event)
    const { shape, index, start, base } = held
    const by = { x: at.x - start.x, y: at.y - start.y }
    held.latest = index === null ? moveShape(base, shape, by) : movePoint(base, shape, index, at)
    setMoved(held.latest)
  }
  const end = () => {
    const held = drag.current
    if (held === null) return
    drag.current = null
    setMoved(null)
    if (!isSame(held.latest, drawing)) onChange(held.latest)
  }

  return (
    <div className={classes.drawing} onPointerMove={follow} onPointerUp={end} onPointerCancel={end}>
      <svg
        ref={board}
        className={classes.drawing}
        viewBox={`0 0 ${size.width} ${size.height}`}
        data-drawing={draft !== null || undefined}
        aria-hidden="true"
        onPointerDown={(event) => (draft === null ? onSelect(null) : onDraftPoint(fractionOf(event)))}
      >
        <DrawingLayer
          drawing={shown}
          size={size}
          selected={selected}
          direcao={direcao}
          {...(draft === null && {
            onPress: (shape: Shape, event: PointerEvent) => begin(event, shape, null, drawing),
          })}
        />
        {draft && <Draft points={draft} size={size} />}
      </svg>
      {draft === null && selected && (
        <Handles {...props} drawing={shown} shape={selected} stored={drawing} onBegin={begin} />
      )}
    </div>
  )
}

function Draft({ points, size }: { points: readonly Point[]; size: BoardSize }) {
  const pixels = points.map((point) => scaled(point, size))
  return (
    <>
      <polygon className={classes.draft} points={pixels.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {pixels.map(({ x, y }) => (
        <circle key={`${x} ${y}`} className={classes.draft} cx={x} cy={y} r={5} />
      ))}
    </>
  )
}

interface HandlesProps extends ShapeEditorProps {
  readonly shape: Shape
  /** Without the movement of the current drag. */
  readonly stored: Drawing
  readonly onBegin: (event: PointerEvent, shape: Shape, index: number | null, base: Drawing) => void
}

const percent = (value: number) => Math.round(value * 100)
const at = ({ x, y }: Point) => ({ left: `${x * 100}%`, top: `${y * 100}%` })

function Handles({ drawing, shape, stored, onBegin, onChange }: HandlesProps) {
  const { t } = useTranslation()
  const points = pointsOf(drawing, shape)
  const name = useShapeName()(drawing, shape)

  const press = (event: KeyboardEvent, index: number) => {
    const arrow = arrows[event.key]
    const point = points[index]
    if (arrow && point) {
      event.preventDefault()
      const step = event.shiftKey ? KEY_STEP_LARGE : KEY_STEP
      onChange(movePoint(stored, shape, index, { x: point.x + arrow.x * step, y: point.y + arrow.y * step }))
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      onChange(removePoint(stored, shape, index))
    }
  }
  /** A point has no id: its place in the shape is its identity, also while it is dragged. */
  const handles = points.map((point, index) => ({ point, index }))
  const between = (index: number): Point => {
    const [a, b] = [points[index] as Point, points[(index + 1) % points.length] as Point]
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
  }
  return (
    <>
      {shape.kind === 'zona' &&
        handles.map(({ index }) => (
          <button
            key={`insert-${index}`}
            type="button"
            className={classes.insert}
            style={at(between(index))}
            aria-label={t('camera.zonas.inserir', { nome: name, numero: index + 1 })}
            onPointerDown={(event) => {
              const inserted = insertPoint(stored, shape, index, between(index))
              onBegin(event, shape, index + 1, inserted)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ' ') return
              event.preventDefault()
              onChange(insertPoint(stored, shape, index, between(index)))
            }}
          />
        ))}
      {handles.map(({ point, index }) => (
        <button
          key={`point-${index}`}
          type="button"
          className={classes.handle}
          style={at(point)}
          aria-label={t('camera.zonas.ponto', {
            nome: name,
            numero: index + 1,
            total: points.length,
            x: percent(point.x),
            y: percent(point.y),
          })}
          aria-describedby="teclas-do-editor"
          onPointerDown={(event) => onBegin(event, shape, index, stored)}
          onKeyDown={(event) => press(event, index)}
        />
      ))}
    </>
  )
}
