import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { drawCrops, drawPictures, type Mark } from './draw.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Writes the sheets of a list. */
export async function carryOut(options: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { list, out, whole, enlarge } = options
  const shape = { columns: options.columns, rows: options.rows, cellPx: options.cell }
  const marks = marksOf(await readFile(list, 'utf8'))
  const pictures = [...Map.groupBy(marks, ({ file }) => file)].map(([file, some], index) => ({
    file,
    title: `${index} ${basename(file)}`,
    // A mark without size only names its picture: one without any box.
    marks: some.filter(({ w }) => w > 0),
  }))
  const perSheet = shape.columns * shape.rows
  const count = Math.ceil((whole ? pictures.length : marks.length) / perSheet)
  await mkdir(out, { recursive: true })
  for (let number = 0; number < count; number++) {
    const name = `sheet-${String(number).padStart(3, '0')}.png`
    progress(number / count, name)
    const [start, end] = [number * perSheet, (number + 1) * perSheet]
    const drawn = whole
      ? await drawPictures(pictures.slice(start, end), shape)
      : await drawCrops(marks.slice(start, end), shape, enlarge)
    await writeFile(join(out, name), drawn)
  }
  print(`${count} sheets in ${out}`)
  return { passed: true }
}

const marksOf = (csv: string): Mark[] =>
  csv
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [file = '', x, y, w, h, caption = ''] = line.split(',')
      return { file, x: Number(x), y: Number(y), w: Number(w), h: Number(h), caption }
    })
