import { expect, it } from 'vitest'
import { addZona, empty } from './drawing.ts'
import { addFrame, nothingSeen, zonesHit } from './live-hits.ts'

const rect = (x: number, y: number, w: number, h: number) => [
  { x, y },
  { x: x + w, y },
  { x: x + w, y: y + h },
  { x, y: y + h },
]
const drawing = addZona(addZona(empty, rect(0, 0.5, 0.5, 0.5)), rect(0.5, 0.5, 0.5, 0.5))
const walker = (x: number, y: number, rotulo = 'person') => ({ rotulo, confianca: 0.8, x, y, w: 0.1, h: 0.3 })

it('a zone is hit by the feet of an object, not by its head', () => {
  expect(zonesHit(drawing, [walker(0.1, 0.1)])).toEqual([])
  expect(zonesHit(drawing, [walker(0.1, 0.3)])).toEqual([0])
  expect(zonesHit(drawing, [walker(0.1, 0.3), walker(0.8, 0.6)])).toEqual([0, 1])
})

it('a walk test collects labels and zones, and ignores a frame with nothing new', () => {
  const first = addFrame(nothingSeen, drawing, [walker(0.1, 0.6)])
  expect(first).toEqual({ rotulos: ['person'], zonas: [0] })
  expect(addFrame(first, drawing, [walker(0.2, 0.6)])).toBe(first)
  expect(addFrame(first, drawing, [walker(0.7, 0.6, 'car')])).toEqual({ rotulos: ['person', 'car'], zonas: [0, 1] })
})
