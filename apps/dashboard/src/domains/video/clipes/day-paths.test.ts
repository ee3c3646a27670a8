import { expect, it } from 'vitest'
import { pathsOf } from './day-paths.ts'

const desde = Date.parse('2026-11-22T00:00:00Z')
const view = { desde, ate: desde + 1_000_000 }
const mark = (kind: 'alta' | 'queda', from: number, to: number | null) => ({
  kind,
  inicio: new Date(desde + from * 1_000).toISOString(),
  fim: to === null ? null : new Date(desde + to * 1_000).toISOString(),
})

it('draws all marks of a kind as one path', () => {
  const marks = Array.from({ length: 200 }, (_, index) => [
    mark('alta', index * 5, index * 5 + 1),
    mark('queda', index * 5, index * 5 + 1),
  ]).flat()
  const paths = pathsOf(marks, view, view.ate)
  expect(paths.map(({ kind }) => kind)).toEqual(['queda', 'alta'])
  expect(paths.map(({ d }) => d.match(/M/g)?.length)).toEqual([200, 200])
})

it('draws the length of a mark, of an open one until now, and a short one so that it is seen', () =>
  expect(
    pathsOf([mark('alta', 100, 300), mark('alta', 500, null), mark('alta', 900, 900)], view, desde + 600_000),
  ).toEqual([{ kind: 'alta', d: 'M100 20H300V100H100ZM500 20H600V100H500ZM900 20H903V100H900Z' }]))

it('draws nothing outside the view', () => {
  expect(pathsOf([mark('alta', -20, -10), mark('queda', 1_100, 1_200)], view, view.ate)).toEqual([])
})
