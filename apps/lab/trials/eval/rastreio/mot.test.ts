import { expect, it } from 'vitest'
import { type MotFrame, scoreMot } from './mot.ts'

const at = (id: number, x: number) => ({ id, box: { x, y: 0, w: 1, h: 1 } })
const frame = (truth: [id: number, x: number][], tracks: [id: number, x: number][]): MotFrame => ({
  truth: truth.map(([id, x]) => at(id, x)),
  tracks: tracks.map(([id, x]) => at(id, x)),
})
const repeated = (times: number, one: MotFrame) => Array.from({ length: times }, () => one)

it('gives full marks to one track a person', () => {
  const found = scoreMot(
    repeated(
      4,
      frame(
        [
          [1, 0],
          [2, 5],
        ],
        [
          [8, 0.1],
          [9, 5.1],
        ],
      ),
    ),
  )
  expect(found).toEqual({ objects: 8, boxes: 8, misses: 0, falseBoxes: 0, switches: 0, mota: 1, idf1: 1 })
})

it('counts misses and false boxes', () => {
  const found = scoreMot([...repeated(2, frame([[1, 0]], [[8, 0.1]])), ...repeated(2, frame([[1, 0]], [[8, 3]]))])
  // Two of four people without a track, two of four boxes without a person.
  expect(found).toMatchObject({ misses: 2, falseBoxes: 2, switches: 0, mota: 0, idf1: 0.5 })
})

it('counts a change of the track, also after an interruption, as one switch', () => {
  const found = scoreMot([
    ...repeated(3, frame([[1, 0]], [[8, 0]])),
    frame([[1, 0]], []),
    ...repeated(2, frame([[1, 0]], [[9, 0]])),
  ])
  expect(found).toMatchObject({ misses: 1, falseBoxes: 0, switches: 1 })
  expect(found.mota).toBeCloseTo(1 - 2 / 6)
  // Only track 8 can be person 1: 3 of 6 people and of 5 boxes.
  expect(found.idf1).toBeCloseTo((2 * 3) / (6 + 5))
})

it('counts two switches when two people exchange their tracks', () => {
  const before = frame(
    [
      [1, 0],
      [2, 5],
    ],
    [
      [8, 0],
      [9, 5],
    ],
  )
  const after = frame(
    [
      [1, 0],
      [2, 5],
    ],
    [
      [9, 0],
      [8, 5],
    ],
  )
  const found = scoreMot([...repeated(3, before), after])
  expect(found).toMatchObject({ misses: 0, falseBoxes: 0, switches: 2, mota: 0.75 })
  expect(found.idf1).toBeCloseTo(6 / 8)
})

it('keeps the pair of the previous frame while it overlaps enough', () => {
  const found = scoreMot([
    frame([[1, 0]], [[8, 0]]),
    frame(
      [[1, 0]],
      [
        [8, 0.3],
        [9, 0],
      ],
    ),
  ])
  expect(found).toMatchObject({ switches: 0, misses: 0, falseBoxes: 1 })
})

it('needs half of the union as overlap', () => {
  expect(scoreMot([frame([[1, 0]], [[8, 0.32]])])).toMatchObject({ misses: 0 })
  expect(scoreMot([frame([[1, 0]], [[8, 0.35]])])).toMatchObject({ misses: 1, falseBoxes: 1 })
})

it('leaves out tracks in ignored boxes, unless they belong to somebody', () => {
  const shown = frame(
    [[1, 0]],
    [
      [8, 0],
      [9, 5],
    ],
  )
  const ignored = [at(0, 0).box, at(0, 5).box]
  expect(scoreMot([{ ...shown, ignored }])).toMatchObject({ boxes: 1, falseBoxes: 0, misses: 0, idf1: 1 })
})
