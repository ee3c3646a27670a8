import { describe, expect, it } from 'vitest'
import { agendaSchema } from './agenda.ts'
import { zonasNovasSchema, zonasSchema } from './geometria.ts'

const problems = (zonas: unknown) =>
  zonasNovasSchema.safeParse(zonas).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

describe('a new zone', () => {
  it.each([
    [
      'a triangle',
      [
        [0.1, 0.1],
        [0.9, 0.1],
        [0.5, 0.9],
      ],
    ],
    ['a triangle in one list', [[0.1, 0.1, 0.9, 0.1, 0.5, 0.9]]],
    [
      'a bow tie, whose halves cancel out',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
    ],
    [
      'the whole frame, first point again at the end',
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      'a strip of a thousandth',
      [
        [0.1, 0.5],
        [0.9, 0.5],
        [0.9, 0.501],
        [0.1, 0.501],
      ],
    ],
    ['none', []],
  ])('is accepted unchanged: %s', (_, zonas) => {
    expect(zonasNovasSchema.parse(zonas)).toEqual(zonas)
  })

  it.each([
    [
      'a line',
      [
        [0.1, 0.1],
        [0.2, 0.2],
        [0.3, 0.3],
      ],
      '',
    ],
    [
      'a line there and back',
      [
        [0.1, 0.7],
        [0.9, 0.7],
        [0.4, 0.7],
        [0.1, 0.7],
      ],
      '',
    ],
    [
      'one point',
      [
        [0.5, 0.5],
        [0.5, 0.5],
        [0.5, 0.5],
      ],
      '',
    ],
    [
      'two points',
      [
        [0.1, 0.2],
        [0.7, 0.8],
        [0.1, 0.2],
      ],
      '',
    ],
    [
      'the second of two',
      [
        [0, 0, 1, 0, 1, 1],
        [0.2, 0.1, 0.4, 0.2, 0.6, 0.3],
      ],
      '1',
    ],
  ])('is rejected without an area: %s', (_, zonas, at) => {
    expect(problems(zonas)).toEqual([[at, expect.stringContaining('área')]])
    // An edge still accepts zones that were stored earlier.
    expect(zonasSchema.safeParse(zonas).success).toBe(true)
  })

  it('has a limited number of points', () => {
    const circle = (points: number) =>
      Array.from({ length: points }, (_, i) => [
        0.5 + 0.4 * Math.cos((i / points) * 2 * Math.PI),
        0.5 + 0.4 * Math.sin((i / points) * 2 * Math.PI),
      ])
    expect(problems(circle(512))).toEqual([])
    expect(problems([circle(256).flat(), circle(256).flat()])).toEqual([])
    expect(problems([circle(256).flat(), circle(256).flat(), circle(3).flat()])).toEqual([
      ['', expect.stringContaining('512 pontos')],
    ])
    expect(problems(circle(513))).toHaveLength(1)
    expect(problems([circle(257).flat()])).toHaveLength(1)
  })

  it('reports exactly one problem for an invalid outline', () => {
    for (const zonas of [
      [[0.1, 0.1]],
      [
        [0.1, 0.1],
        [0.2, 0.2],
      ],
      [[0.1, 0.1, 0.2, 0.2]],
      [[0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4]],
    ])
      expect([zonas, problems(zonas)]).toEqual([zonas, [['', expect.any(String)]]])
  })
})

it('a window rejects repeated and invalid days', () => {
  const of = (dias: number[]) =>
    agendaSchema.safeParse({ invasao: { inicio: 22, fim: 6, dias } }).error?.issues.map(({ path }) => path.join('.')) ??
    []
  expect(of([0, 1, 2, 3, 4, 5, 6])).toEqual([])
  expect(of([6, 0])).toEqual([])
  expect(of([0, 0])).toEqual(['invasao.dias'])
  expect(of([7])).toEqual(['invasao.dias.0'])
  expect(of([-1])).toEqual(['invasao.dias.0'])
  expect(of([1.5])).toEqual(['invasao.dias.0'])
})
