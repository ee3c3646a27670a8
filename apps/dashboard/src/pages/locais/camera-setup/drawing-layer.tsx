import classes from './board.module.css'
import type { BoardSize } from './board.tsx'
import type { Drawing, Shape } from './drawing.ts'
import { arrowPoints, middle, type Pixel, scaled } from './pixels.ts'
import { useShapeName } from './shape-name.ts'

export interface DrawingLayerProps {
  readonly drawing: Drawing
  readonly size: BoardSize
  readonly selected?: Shape | null
  /** Indices of zones that contain something now. */
  readonly hit?: readonly number[]
  /** Directions of a crossing that raise an event: 0 both, 1 `ab`, 2 `ba`. */
  readonly direcao: number
  readonly onPress?: (shape: Shape, event: React.PointerEvent) => void
}

const list = (points: readonly Pixel[]) => points.map(({ x, y }) => `${x},${y}`).join(' ')

/** Characters of a name on the picture; SVG text does not wrap. */
const SHOWN = 24
const shortened = (name: string) => (name.length > SHOWN ? `${name.slice(0, SHOWN - 1)}…` : name)

/** Zones have no id: the events name them by their index. */
const zonesOf = ({ zonas }: Drawing) => zonas.map((zona, index) => ({ zona, shape: { kind: 'zona', index } as const }))

/** Zones and line with their numbers and the directions of the line. */
export function DrawingLayer({ drawing, size, selected = null, hit = [], direcao, onPress }: DrawingLayerProps) {
  const name = useShapeName()
  return (
    <>
      {zonesOf(drawing).map(({ zona, shape }) => {
        const { index } = shape
        const points = zona.map((point) => scaled(point, size))
        const at = middle(points)
        const isSelected = selected?.kind === 'zona' && selected.index === index
        return (
          <g key={shape.index}>
            <polygon
              className={classes.zone}
              points={list(points)}
              fillRule="evenodd"
              data-editable={onPress ? true : undefined}
              data-selected={isSelected || undefined}
              data-hit={hit.includes(index) || undefined}
              onPointerDown={onPress && ((event) => onPress(shape, event))}
            />
            <text className={classes.label} x={at.x} y={at.y} textAnchor="middle">
              {shortened(name(drawing, shape))}
            </text>
          </g>
        )
      })}
      {drawing.linha && (
        <LineShape
          ends={[scaled(drawing.linha[0], size), scaled(drawing.linha[1], size)]}
          selected={selected?.kind === 'linha'}
          direcao={direcao}
          onPress={onPress && ((event) => onPress({ kind: 'linha' }, event))}
        />
      )}
    </>
  )
}

interface LineShapeProps {
  readonly ends: readonly [Pixel, Pixel]
  readonly selected: boolean
  readonly direcao: number
  readonly onPress: ((event: React.PointerEvent) => void) | undefined
}

function LineShape({ ends: [from, to], selected, direcao, onPress }: LineShapeProps) {
  const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y }
  return (
    <g>
      <line className={classes.line} {...ends} data-selected={selected || undefined} />
      {onPress && <line className={classes.lineTarget} {...ends} onPointerDown={onPress} />}
      <polygon
        className={classes.arrow}
        points={list(arrowPoints(from, to, 'ab'))}
        data-off={direcao === 2 || undefined}
      />
      <polygon
        className={classes.arrow}
        points={list(arrowPoints(from, to, 'ba'))}
        data-off={direcao === 1 || undefined}
      />
    </g>
  )
}
