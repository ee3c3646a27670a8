import type { Point } from '@vigia/ias/geometry'
import { useEffect, useState } from 'react'
import { addZona, type Drawing, onGrid, removeShape, type Shape, setLinha } from './drawing.ts'
import { type EditHistory, redo, startHistory, step, undo } from './edit-history.ts'

/** A shape that is being drawn. */
interface Draft {
  readonly kind: Shape['kind']
  readonly points: readonly Point[]
}

/** State of an editor of shapes: history, selection and draft. */
export interface ShapesState {
  readonly drawing: Drawing
  readonly history: EditHistory<Drawing>
  readonly selected: Shape | null
  readonly draft: Draft | null
  setHistory(change: (history: EditHistory<Drawing>) => EditHistory<Drawing>): void
  select(shape: Shape | null): void
  setDraft(draft: Draft | null): void
  change(next: Drawing): void
  addZone(points: readonly Point[]): void
  addLine(ends: readonly [Point, Point]): void
  /** Adds a point to the draft. */
  draw(point: Point): void
  remove(shape: Shape): void
  /** Undoes or repeats a step. */
  goTo(move: typeof undo): void
  /** Shows a stored drawing, as a step of the history. */
  reset(stored: Drawing): void
}

/** Escape ends a draft; Ctrl+Z and Ctrl+Shift+Z move in the history. */
export function useShapes(initial: Drawing): ShapesState {
  const [history, setHistory] = useState(() => startHistory(initial))
  const [selected, select] = useState<Shape | null>(null)
  const [draft, setDraft] = useState<Draft | null>(null)
  const drawing = history.present

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDraft(null)
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
      // A text of several lines has an undo of its own.
      if (event.target instanceof HTMLTextAreaElement) return
      event.preventDefault()
      setHistory(event.shiftKey ? redo : undo)
      select(null)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])

  const change = (next: Drawing) => setHistory((now) => step(now, next))
  const add = (next: Drawing, shape: Shape) => {
    change(next)
    select(shape)
    setDraft(null)
  }
  const addZone = (points: readonly Point[]) =>
    add(addZona(drawing, points), { kind: 'zona', index: drawing.zonas.length })
  const addLine = ([from, to]: readonly [Point, Point]) => add(setLinha(drawing, from, to), { kind: 'linha' })
  return {
    drawing,
    history,
    selected,
    draft,
    setHistory,
    select,
    setDraft,
    change,
    addZone,
    addLine,
    draw(point) {
      if (draft === null) return
      const points = [...draft.points, onGrid(point)]
      const [from, to] = points
      if (draft.kind === 'linha' && from && to) addLine([from, to])
      else setDraft({ ...draft, points })
    },
    remove(shape) {
      change(removeShape(drawing, shape))
      select(null)
    },
    goTo(move) {
      setHistory(move)
      select(null)
    },
    reset(stored) {
      change(stored)
      select(null)
      setDraft(null)
    },
  }
}
