import type { Camera } from '@vigia/contracts/cameras'
import { expect, it } from 'vitest'
import { gridRows, gridSizes } from './grid-rows.ts'
import { groupCameras } from './group-cameras.ts'

const camera = (id: number, empresa_id: number, edge_id: number | null) =>
  ({ id, nome: `Câmera ${id}`, empresa_id, edge_id }) as Camera
const names = {
  empresa: (id: number) => ['', 'Mercado', 'Acme'][id] ?? null,
  edge: (id: number) => ['', 'Matriz', 'Filial'][id] ?? null,
}
const groupsOf = (...cameras: Camera[]) =>
  groupCameras(cameras, names).map(({ nome, cameras: own }) => [nome, own.map(({ id }) => id)])

it.each([
  ['one site', [camera(1, 1, 1), camera(2, 1, 1)], [[null, [1, 2]]]],
  [
    'the caixas of one Empresa',
    [camera(1, 1, 1), camera(2, 1, 2), camera(3, 1, 1)],
    [
      ['Filial', [2]],
      ['Matriz', [1, 3]],
    ],
  ],
  [
    'Empresas by name, and a caixa that this login may not see',
    [camera(1, 1, 1), camera(2, 2, 1), camera(3, 2, 9)],
    [
      ['Acme', [3]],
      ['Acme · Matriz', [2]],
      ['Mercado', [1]],
    ],
  ],
])('groups %s', (_, cameras, expected) => {
  expect(groupsOf(...cameras)).toEqual(expected)
})

it.each([
  ['a phone', 358, 2],
  ['a laptop', 1_008, 4],
  ['a list without space', 100, 1],
])('shows 16:9 pictures in columns on %s', (_, width, columns) => {
  const sizes = gridSizes(width, 16)
  expect(sizes.columns).toBe(columns)
  expect(sizes.cardWidth * columns + sizes.gap * (columns - 1)).toBeCloseTo(width)
})

it('puts a heading above the rows of each group', () => {
  const groups = groupCameras([camera(1, 1, 1), camera(2, 2, 1), camera(3, 1, 1), camera(4, 1, 1)], names)
  const rows = gridRows(groups, gridSizes(358, 16)).map(({ key, cameras, first }) => [key, cameras.length, first])
  expect(rows).toEqual([
    ['2-1', 0, 0],
    ['2-1-0', 1, 0],
    ['1-1', 0, 0],
    ['1-1-0', 2, 0],
    ['1-1-2', 1, 2],
  ])
})
