import { Board, type BoardProps } from './board.tsx'
import type { Drawing } from './drawing.ts'
import { ShapeEditor } from './shape-editor.tsx'
import type { ShapesState } from './use-shapes.ts'

interface ShapesBoardProps extends Omit<BoardProps, 'children'> {
  readonly shapes: ShapesState
  /** The drawing of `shapes` with the names that the picture shows. */
  readonly drawing: Drawing
  /** Direction of the line (line-direction.ts). */
  readonly direcao?: number
}

/** The live picture with shapes that a person draws and moves. */
export const ShapesBoard = ({ shapes, drawing, direcao = 0, ...board }: ShapesBoardProps) => (
  <Board {...board}>
    {(size) => (
      <ShapeEditor
        drawing={drawing}
        size={size}
        direcao={direcao}
        selected={shapes.selected}
        draft={shapes.draft?.points ?? null}
        onSelect={shapes.select}
        onChange={shapes.change}
        onDraftPoint={shapes.draw}
      />
    )}
  </Board>
)
