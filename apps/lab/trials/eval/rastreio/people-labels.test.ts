import { expect, it } from 'vitest'
import { LABELLED, peopleAt, readCrossings, readLines, readPeople } from './people-labels.ts'

const labels = await readPeople()

it('the label files hold the counts that their README states', async () => {
  expect(labels).toHaveLength(261)
  expect(new Set(labels.map(({ id }) => id)).size).toBe(10)
  const [lines, crossings] = [await readLines(), await readCrossings()]
  expect(lines).toHaveLength(9)
  expect(crossings).toHaveLength(90)
  expect(new Set(crossings.map(({ line }) => line))).toEqual(new Set(lines.map(({ name }) => name)))
})

it('each person has at most one box a second, inside of the frame', () => {
  expect(new Set(labels.map(({ s, id }) => `${s} ${id}`)).size).toBe(labels.length)
  for (const { box } of labels) {
    expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0)
    expect(Math.max(box.x + box.w, box.y + box.h)).toBeLessThanOrEqual(1.001)
  }
})

it('returns the labels at their time, and boxes between the neighbours at other times', () => {
  const person = (s: number) => peopleAt(labels, s).people.find(({ id }) => id === 4)?.box
  const before = labels.find(({ s, id }) => s === 5 && id === 4)?.box
  expect(person(5)).toEqual(before)
  const [a, b, c] = [person(5), person(5.5), person(6)].map((box) => (box ? box.x + box.w / 2 : 0))
  expect(b).toBeLessThan(a ?? 0)
  expect(b).toBeGreaterThan(c ?? 1)
})

it('ignores people who enter or leave between two labels', () => {
  // Person 8 leaves on the left after second 22.
  expect(peopleAt(labels, 22).people.map(({ id }) => id)).toContain(8)
  const { people, ignored } = peopleAt(labels, 22.4)
  expect(people.map(({ id }) => id)).not.toContain(8)
  expect(ignored.some(({ x }) => x < 0.05)).toBe(true)
  expect(peopleAt(labels, LABELLED.endS).ignored).toEqual([])
})
