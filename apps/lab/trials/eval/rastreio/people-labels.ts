import { readFile } from 'node:fs/promises'
import type { Box, Point } from '@vigia/ias/geometry'
import { z } from 'zod'
import type { Crossing } from './crossing-score.ts'
import type { Identified } from './mot.ts'

/** The labelled footage: `vtest.avi` up to its last labelled frame. */
export const LABELLED = { width: 768, height: 576, endS: 39.9 } as const

interface PersonAt extends Identified {
  readonly s: number
}

export interface LabelledLine {
  readonly name: string
  readonly ends: readonly [Point, Point]
}

export interface LabelledCrossing extends Crossing {
  readonly id: number
}

/** The labelled people of one instant. */
export interface PeopleAt {
  readonly people: readonly Identified[]
  /** Boxes of people who enter or leave between two labels: neither missed nor false. */
  readonly ignored: readonly Box[]
}

const number = z.string().min(1).transform(Number).pipe(z.number())
const personRow = z.object({ s: number, id: number, x: number, y: number, w: number, h: number })
const lineRow = z.object({ line: z.string(), x1: number, y1: number, x2: number, y2: number })
const crossingRow = z.object({ line: z.string(), s: number, id: number, direction: z.enum(['ab', 'ba']) })

async function readRows<Row>(name: string, schema: z.ZodType<Row>): Promise<Row[]> {
  const text = await readFile(new URL(`../../../labels/${name}`, import.meta.url), 'utf8')
  const [header = '', ...lines] = text.trimEnd().split('\n')
  const columns = header.split(',')
  return lines.map((line) => {
    const fields = line.split(',')
    return schema.parse(Object.fromEntries(columns.map((column, index) => [column, fields[index]])))
  })
}

/** The people of `vtest-40s.csv`; boxes as fractions of the frame. */
export const readPeople = async (): Promise<PersonAt[]> =>
  (await readRows('vtest-40s.csv', personRow)).map(({ s, id, x, y, w, h }) => ({
    s: Math.min(s, LABELLED.endS),
    id,
    box: { x: x / LABELLED.width, y: y / LABELLED.height, w: w / LABELLED.width, h: h / LABELLED.height },
  }))

export const readLines = async (): Promise<LabelledLine[]> =>
  (await readRows('vtest-line-definitions.csv', lineRow)).map(({ line, x1, y1, x2, y2 }) => ({
    name: line,
    ends: [
      { x: x1, y: y1 },
      { x: x2, y: y2 },
    ],
  }))

export const readCrossings = (): Promise<LabelledCrossing[]> => readRows('vtest-lines.csv', crossingRow)

/** Longest time between two labels of one person. */
const STEP_S = 1

/** The people at `s`, between the labels: foot points along a Catmull-Rom spline, sizes linear. */
export function peopleAt(labels: readonly PersonAt[], s: number): PeopleAt {
  const people: Identified[] = []
  const ignored: Box[] = []
  // At the time of a label, the people without one are not in the picture.
  const isLabelled = labels.some((label) => label.s === s)
  for (const [id, own] of Map.groupBy(labels, (label) => label.id)) {
    const index = own.findLastIndex((label) => label.s <= s)
    const [before, after] = [own[index], own[index + 1]]
    if (before?.s === s) people.push({ id, box: before.box })
    else if (before && after && after.s - before.s <= STEP_S) {
      const share = (s - before.s) / (after.s - before.s)
      people.push({ id, box: between(own[index - 1], before, after, own[index + 2], share) })
    } else if (!isLabelled) {
      for (const nearest of [before, after]) {
        if (nearest && Math.abs(nearest.s - s) < STEP_S) ignored.push(widened(nearest.box))
      }
    }
  }
  return { people, ignored }
}

const foot = ({ x, y, w, h }: Box): Point => ({ x: x + w / 2, y: y + h })

function between(
  first: PersonAt | undefined,
  before: PersonAt,
  after: PersonAt,
  last: PersonAt | undefined,
  t: number,
): Box {
  const [a, b] = [foot(before.box), foot(after.box)]
  const start = first && before.s - first.s <= STEP_S ? foot(first.box) : null
  const end = last && last.s - after.s <= STEP_S ? foot(last.box) : null
  const along = (axis: 'x' | 'y') => {
    const slope = b[axis] - a[axis]
    const from = start ? (b[axis] - start[axis]) / 2 : slope
    const to = end ? (end[axis] - a[axis]) / 2 : slope
    const [t2, t3] = [t * t, t * t * t]
    return (2 * t3 - 3 * t2 + 1) * a[axis] + (t3 - 2 * t2 + t) * from + (3 * t2 - 2 * t3) * b[axis] + (t3 - t2) * to
  }
  const w = before.box.w + (after.box.w - before.box.w) * t
  const h = before.box.h + (after.box.h - before.box.h) * t
  return { x: along('x') - w / 2, y: along('y') - h, w, h }
}

/** Three widths around the box: a person walks up to two widths a second. */
const widened = ({ x, y, w, h }: Box): Box => ({ x: x - w, y: y - h / 4, w: 3 * w, h: 1.5 * h })
