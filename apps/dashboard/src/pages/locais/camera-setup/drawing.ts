import { type Geometria, type Linha, linhaSchema, type Zonas, zonasNovasSchema } from '@vigia/contracts/geometria'
import { lineEnds, type Point, polygons } from '@vigia/ias/geometry'

/** The zones and the line of a camera as shapes. A zone has at least three points. */
export interface Drawing {
  readonly zonas: readonly (readonly Point[])[]
  /** One for each zone; null: no name. */
  readonly nomes: readonly (string | null)[]
  /** From the first point to the second; null: no line. */
  readonly linha: readonly [Point, Point] | null
}

/** One shape of a drawing. */
export type Shape = { readonly kind: 'zona'; readonly index: number } | { readonly kind: 'linha' }

/** Forms of `zonas` and `linha` in the API: a list of points, or one list of numbers for each shape. */
export interface Forms {
  readonly zonas: 'pontos' | 'listas'
  readonly linha: 'pontos' | 'listas'
}

/** Shape of a zone that a button adds: a keyboard can then move its points. */
export const RECTANGLE: readonly Point[] = [
  { x: 0.3, y: 0.3 },
  { x: 0.7, y: 0.3 },
  { x: 0.7, y: 0.8 },
  { x: 0.3, y: 0.8 },
]

export const empty: Drawing = { zonas: [], nomes: [], linha: null }

export const drawingOf = ({ zonas, nomes_zonas, linha }: Omit<Geometria, 'imagem_inteira'>): Drawing => ({
  zonas: polygons(zonas),
  nomes: nomes_zonas,
  linha: lineEnds(linha),
})

const pointsForm = (lists: readonly (readonly number[])[]) => lists.every((inner) => inner.length === 2)

/** The forms in which the camera stores its geometry. Without a stored shape they are lists, which fit any number. */
export const formsOf = ({ zonas, linha }: Pick<Geometria, 'zonas' | 'linha'>): Forms => ({
  zonas: zonas.length > 0 && pointsForm(zonas) ? 'pontos' : 'listas',
  linha: linha.length > 0 && !pointsForm(linha) ? 'listas' : 'pontos',
})

const flat = (points: readonly Point[]): number[] => points.flatMap(({ x, y }) => [x, y])
const pairs = (points: readonly Point[]): number[][] => points.map(({ x, y }) => [x, y])

/** `zonas` in the stored form. A list of points holds one polygon, so several polygons are lists. */
export function zonasOf({ zonas }: Drawing, form: Forms['zonas']): Zonas {
  const [only] = zonas
  return form === 'pontos' && zonas.length === 1 && only ? pairs(only) : zonas.map(flat)
}

export function linhaOf({ linha }: Drawing, form: Forms['linha']): Linha {
  if (linha === null) return []
  return form === 'listas' ? [flat(linha)] : pairs(linha)
}

/** Four decimals: finer than a pixel of any camera. */
const STEPS = 10_000
const inFrame = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * STEPS) / STEPS

/** The point on the grid of the editor and inside the frame. */
export const onGrid = ({ x, y }: Point): Point => ({ x: inFrame(x), y: inFrame(y) })

const replaced = <T>(list: readonly T[], index: number, change: (one: T) => T): T[] =>
  list.map((one, at) => (at === index ? change(one) : one))

function withShape(drawing: Drawing, shape: Shape, change: (points: readonly Point[]) => readonly Point[]): Drawing {
  if (shape.kind === 'zona') return { ...drawing, zonas: replaced(drawing.zonas, shape.index, change) }
  if (drawing.linha === null) return drawing
  const [from, to] = change(drawing.linha)
  return from && to ? { ...drawing, linha: [from, to] } : drawing
}

export const pointsOf = ({ zonas, linha }: Drawing, shape: Shape): readonly Point[] =>
  (shape.kind === 'zona' ? zonas[shape.index] : linha) ?? []

export const addZona = (drawing: Drawing, points: readonly Point[]): Drawing =>
  points.length < 3
    ? drawing
    : { ...drawing, zonas: [...drawing.zonas, points.map(onGrid)], nomes: [...drawing.nomes, null] }

/** Longest name of a zone. */
export const MAX_NOME = 60

/** Blank text removes the name. */
export const nameZona = (drawing: Drawing, index: number, text: string): Drawing => ({
  ...drawing,
  nomes: replaced(drawing.nomes, index, () => text.trim() || null),
})

export const setLinha = (drawing: Drawing, from: Point, to: Point): Drawing => ({
  ...drawing,
  linha: [onGrid(from), onGrid(to)],
})

export const movePoint = (drawing: Drawing, shape: Shape, index: number, to: Point): Drawing =>
  withShape(drawing, shape, (points) => replaced(points, index, () => onGrid(to)))

/** Inserts a point behind the point at `index`. A line has two points and gets no other. */
export const insertPoint = (drawing: Drawing, shape: Shape, index: number, at: Point): Drawing =>
  shape.kind === 'linha' ? drawing : withShape(drawing, shape, (points) => points.toSpliced(index + 1, 0, onGrid(at)))

/** Removes a point; a zone of three points and a line keep theirs. */
export const removePoint = (drawing: Drawing, shape: Shape, index: number): Drawing =>
  shape.kind === 'linha' || pointsOf(drawing, shape).length <= 3
    ? drawing
    : withShape(drawing, shape, (points) => points.toSpliced(index, 1))

/** Moves a shape as a whole. It stops at the border of the frame and keeps its form. */
export function moveShape(drawing: Drawing, shape: Shape, by: Point): Drawing {
  const points = pointsOf(drawing, shape)
  if (points.length === 0) return drawing
  const limited = (axis: 'x' | 'y') => {
    const values = points.map((point) => point[axis])
    return Math.min(1 - Math.max(...values), Math.max(-Math.min(...values), by[axis]))
  }
  const [x, y] = [limited('x'), limited('y')]
  return withShape(drawing, shape, () => points.map((point) => onGrid({ x: point.x + x, y: point.y + y })))
}

export const removeShape = (drawing: Drawing, shape: Shape): Drawing =>
  shape.kind === 'linha'
    ? { ...drawing, linha: null }
    : {
        ...drawing,
        zonas: drawing.zonas.toSpliced(shape.index, 1),
        nomes: drawing.nomes.toSpliced(shape.index, 1),
      }

/** Swaps the ends of the line, and with them the directions `ab` and `ba`. */
export const turnLinha = (drawing: Drawing): Drawing =>
  drawing.linha === null ? drawing : { ...drawing, linha: [drawing.linha[1], drawing.linha[0]] }

/** Sentences of the API about a drawing that it would refuse; empty: it accepts the drawing. */
export function problemsOf(drawing: Drawing, forms: Forms): readonly string[] {
  const zonas = zonasNovasSchema.safeParse(zonasOf(drawing, forms.zonas)).error?.issues ?? []
  const linha = linhaSchema.safeParse(linhaOf(drawing, forms.linha)).error?.issues ?? []
  return [...new Set([...zonas, ...linha].map(({ message }) => message))]
}

export const isSame = (a: Drawing, b: Drawing): boolean => JSON.stringify(a) === JSON.stringify(b)
