/**
 * Draws contact sheets, from which a person labels pictures.
 *
 *   node apps/model-tools/trials/sheets/main.ts LIST.csv OUT_DIR [--whole] [--columns 9] [--rows 8] [--cell 112]
 *     [--enlarge 1.6]
 *
 * LIST.csv has no header: `file,x,y,w,h,caption`, fractions of the picture from its left upper corner. `--whole` draws
 * pictures with numbered boxes instead of crops. The sheets show people: keep them out of the repository.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawCrops, drawPictures, type Mark } from './draw.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    whole: { type: 'boolean', default: false },
    columns: { type: 'string', default: '9' },
    rows: { type: 'string', default: '8' },
    cell: { type: 'string', default: '112' },
    enlarge: { type: 'string', default: '1.6' },
  },
})
const [list, out] = positionals
if (!list || !out) throw new Error('Usage: main.ts LIST.csv OUT_DIR [options]')

const shape = { columns: Number(values.columns), rows: Number(values.rows), cellPx: Number(values.cell) }
const marks = (await readFile(list, 'utf8')).split('\n').flatMap((line): Mark[] => {
  if (line.trim() === '') return []
  const [file = '', x, y, w, h, caption = ''] = line.split(',')
  return [{ file, x: Number(x), y: Number(y), w: Number(w), h: Number(h), caption }]
})
const perSheet = shape.columns * shape.rows
await mkdir(out, { recursive: true })
const pictures = [...Map.groupBy(marks, ({ file }) => file)].map(([file, some], index) => ({
  file,
  title: `${index} ${basename(file)}`,
  // A mark without size only names its picture: one without any box.
  marks: some.filter(({ w }) => w > 0),
}))
const count = Math.ceil((values.whole ? pictures.length : marks.length) / perSheet)
for (let number = 0; number < count; number++) {
  const [start, end] = [number * perSheet, (number + 1) * perSheet]
  const drawn = values.whole
    ? await drawPictures(pictures.slice(start, end), shape)
    : await drawCrops(marks.slice(start, end), shape, Number(values.enlarge))
  await writeFile(join(out, `sheet-${String(number).padStart(3, '0')}.png`), drawn)
}
console.log(`${count} sheets in ${out}`)
