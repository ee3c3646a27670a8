import { expect, it } from 'vitest'
import type { StillSet } from './data-set.ts'
import type { ShownStill } from './show-still.ts'
import { summarizeStrata } from './strata.ts'

const person = { tarefa: 'objetos' as const, rotulo: 'person' }
const box = (x: number, h: number) => ({ x, y: 0, w: 0.1, h })
const found = (x: number, h: number, confianca = 0.9) => ({ rotulo: 'person', confianca, ...box(x, h) })
const labelled = (name: string, ...heights: number[]) => ({
  path: name,
  name,
  boxes: heights.map((h, index) => ({ classe: 0, product: person, box: box(index * 0.2, h) })),
})
const shown = (luz: ShownStill['luz'], ...detections: ReturnType<typeof found>[]): ShownStill => ({
  heightPx: 1000,
  luz,
  found: { objetos: detections },
  asked: [],
  raised: [],
})
const setOf = (stills: StillSet['stills'], classes: StillSet['classes']): StillSet => ({
  name: 'set',
  classes,
  ignored: [],
  underFire: false,
  stills,
})

it('counts labels and detections by their own height, and by the light of the picture', () => {
  const set = setOf([labelled('day', 0.02, 0.1), labelled('night', 0.1)], [person])
  const rows = summarizeStrata(
    [set],
    new Map([
      ['day', shown('dia', found(0.2, 0.1), found(0.6, 0.3), found(0, 0.02, 0.1))],
      ['night', shown('noite', found(0, 0.09))],
    ]),
  )
  expect(
    rows
      .filter(({ grupo }) => grupo === 'pessoas')
      .map(({ faixa, rotulos, encontrados, achados, certos }) => [faixa, rotulos, encontrados, achados, certos]),
  ).toEqual([
    // Its detection is below the default threshold.
    ['altura 0–24 px', 1, 0, 0, 0],
    ['altura 48–96 px', 0, 0, 1, 1],
    ['altura 96–192 px', 2, 2, 1, 1],
    ['altura ≥ 192 px', 0, 0, 1, 0],
    ['dia (luz ≥ 90)', 2, 1, 2, 1],
    ['noite (luz < 50)', 1, 1, 1, 1],
  ])
})

it('leaves out sets that do not label the class, and pictures without an inference', () => {
  const day = shown('dia', found(0, 0.1))
  const unlabelled = setOf([labelled('day')], [])
  const none = summarizeStrata([unlabelled], new Map([['day', day]]))
  expect(none.map(({ grupo, rotulos, achados }) => [grupo, rotulos, achados])).toEqual([
    ['pessoas', 0, 0],
    ['veículos', 0, 0],
    ['cabeças', 0, 0],
  ])
  expect(summarizeStrata([setOf([labelled('day', 0.1)], [person])], new Map())).toEqual(none)
  expect(summarizeStrata([], new Map())).toEqual([])
})
