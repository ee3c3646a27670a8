import { countZonas, linhaSchema, zonasNovasSchema } from '@vigia/contracts/geometria'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addZona,
  type Drawing,
  drawingOf,
  empty,
  formsOf,
  insertPoint,
  linhaOf,
  movePoint,
  moveShape,
  nameZona,
  pointsOf,
  problemsOf,
  removePoint,
  removeShape,
  type Shape,
  setLinha,
  turnLinha,
  zonasOf,
} from './drawing.ts'

const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0)
const pair = fc.tuple(fraction, fraction).map(([x, y]) => [x, y])
const point = fc.record({
  x: fc.double({ min: -1, max: 2, noNaN: true }),
  y: fc.double({ min: -1, max: 2, noNaN: true }),
})
const onePolygon = fc.array(pair, { minLength: 3, maxLength: 8 })
const polygonLists = fc.array(
  fc.array(pair, { minLength: 3, maxLength: 6 }).map((pairs) => pairs.flat()),
  {
    maxLength: 4,
  },
)
const zonas = fc.oneof(onePolygon, polygonLists)
const ends = fc.tuple(pair, pair).filter(([a, b]) => `${a}` !== `${b}`)
const linha = fc.oneof(
  fc.constant([] as number[][]),
  ends,
  ends.map((both) => [both.flat()]),
)
const geometry = fc.record({ zonas, linha })
const sentBack = (sent: { zonas: number[][]; linha: number[][] }, drawing: Drawing) => {
  const forms = formsOf(sent)
  return { zonas: zonasOf(drawing, forms.zonas), linha: linhaOf(drawing, forms.linha) }
}

/** The drawing of a geometry whose zones have names. */
const drawn = (sent: { zonas: number[][]; linha: number[][] }) =>
  drawingOf({ ...sent, nomes_zonas: Array.from({ length: countZonas(sent.zonas) }, (_, index) => `Área ${index}`) })

const square = [
  { x: 0.2, y: 0.2 },
  { x: 0.4, y: 0.2 },
  { x: 0.4, y: 0.4 },
  { x: 0.2, y: 0.4 },
]

describe('a drawing', () => {
  it('goes back in the form and with the numbers in which the camera stores it', () => {
    fc.assert(
      fc.property(geometry, (sent) => {
        expect(sentBack(sent, drawn(sent))).toEqual(sent)
      }),
    )
  })

  it('keeps the form of one polygon when a point moves, and becomes lists with a second zone', () => {
    const sent = { zonas: square.map(({ x, y }) => [x, y]), linha: [] }
    const moved = movePoint(drawn(sent), { kind: 'zona', index: 0 }, 1, { x: 0.5, y: 0.1 })
    expect(sentBack(sent, moved).zonas).toEqual([
      [0.2, 0.2],
      [0.5, 0.1],
      [0.4, 0.4],
      [0.2, 0.4],
    ])
    expect(sentBack(sent, addZona(moved, square)).zonas).toEqual([
      [0.2, 0.2, 0.5, 0.1, 0.4, 0.4, 0.2, 0.4],
      [0.2, 0.2, 0.4, 0.2, 0.4, 0.4, 0.2, 0.4],
    ])
  })

  it('stays inside the frame and in a valid form, whatever is done to it', () => {
    const shape = fc.oneof(
      fc.record({ kind: fc.constant('zona' as const), index: fc.nat(3) }),
      fc.constant({ kind: 'linha' } as Shape),
    )
    const action = fc.oneof(
      fc.array(point, { maxLength: 6 }).map((points) => (drawing: Drawing) => addZona(drawing, points)),
      fc.tuple(point, point).map(
        ([from, to]) =>
          (drawing: Drawing) =>
            setLinha(drawing, from, to),
      ),
      fc.tuple(shape, fc.nat(8), point).map(
        ([one, at, to]) =>
          (drawing: Drawing) =>
            movePoint(drawing, one, at, to),
      ),
      fc.tuple(shape, fc.nat(8), point).map(
        ([one, at, to]) =>
          (drawing: Drawing) =>
            insertPoint(drawing, one, at, to),
      ),
      fc.tuple(shape, fc.nat(8)).map(
        ([one, at]) =>
          (drawing: Drawing) =>
            removePoint(drawing, one, at),
      ),
      fc.tuple(shape, point).map(
        ([one, by]) =>
          (drawing: Drawing) =>
            moveShape(drawing, one, by),
      ),
      shape.map((one) => (drawing: Drawing) => removeShape(drawing, one)),
      fc.constant(turnLinha),
    )
    fc.assert(
      fc.property(geometry, fc.array(action, { maxLength: 20 }), (sent, actions) => {
        const drawing = actions.reduce((now, act) => act(now), drawn(sent))
        const numbers = [...drawing.zonas.flat(), ...(drawing.linha ?? [])].flatMap(({ x, y }) => [x, y])
        expect(numbers.every((value) => value >= 0 && value <= 1)).toBe(true)
        expect(drawing.zonas.every((points) => points.length >= 3)).toBe(true)
        expect(drawing.nomes).toHaveLength(drawing.zonas.length)
        if (problemsOf(drawing, formsOf(sent)).length > 0) return
        const back = sentBack(sent, drawing)
        expect([zonasNovasSchema.safeParse(back.zonas).success, linhaSchema.safeParse(back.linha).success]).toEqual([
          true,
          true,
        ])
        const again = drawingOf({ ...back, nomes_zonas: [...drawing.nomes] })
        expect(again).toEqual(drawing)
      }),
    )
  })

  it('moves a shape up to the border without changing its form', () => {
    const drawing = addZona(empty, square)
    const zona = { kind: 'zona', index: 0 } as const
    expect(pointsOf(moveShape(drawing, zona, { x: 0.9, y: -0.1 }), zona)).toEqual([
      { x: 0.8, y: 0.1 },
      { x: 1, y: 0.1 },
      { x: 1, y: 0.3 },
      { x: 0.8, y: 0.3 },
    ])
  })

  it('keeps the last three points of a zone, and both ends of the line', () => {
    const triangle = addZona(setLinha(empty, { x: 0, y: 0 }, { x: 1, y: 1 }), square.slice(0, 3))
    expect(removePoint(triangle, { kind: 'zona', index: 0 }, 0)).toBe(triangle)
    expect(removePoint(triangle, { kind: 'linha' }, 0)).toBe(triangle)
    expect(insertPoint(triangle, { kind: 'linha' }, 0, { x: 0.5, y: 0 })).toBe(triangle)
    expect(turnLinha(triangle).linha).toEqual([
      { x: 1, y: 1 },
      { x: 0, y: 0 },
    ])
  })

  it('keeps the name of each zone when another one goes, and removes a blank name', () => {
    const two = nameZona(nameZona(addZona(addZona(empty, square), square), 0, 'Portão'), 1, ' Doca ')
    expect(two.nomes).toEqual(['Portão', 'Doca'])
    expect(removeShape(two, { kind: 'zona', index: 0 }).nomes).toEqual(['Doca'])
    expect(addZona(two, square).nomes).toEqual(['Portão', 'Doca', null])
    expect(nameZona(two, 0, '  ').nomes).toEqual([null, 'Doca'])
  })

  it('names the problem of a zone without an area', () => {
    const line = addZona(empty, [
      { x: 0, y: 0 },
      { x: 0.5, y: 0.5 },
      { x: 1, y: 1 },
    ])
    expect(problemsOf(line, formsOf({ zonas: [], linha: [] }))).toEqual([expect.stringContaining('área')])
    expect(
      problemsOf(setLinha(empty, { x: 0.5, y: 0.5 }, { x: 0.5, y: 0.5 }), formsOf({ zonas: [], linha: [] })),
    ).toEqual([expect.stringContaining('iguais')])
  })
})
