import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Box } from '@vigia/ias/geometry'

export const tasks = ['fogo', 'epi'] as const
export type Task = (typeof tasks)[number]

/** Outputs of each head, in the order of its manifest. */
export const labelsOf = { fogo: ['fire', 'smoke'], epi: ['hardhat', 'no_hardhat', 'vest', 'no_vest'] } as const

/** A labelled picture of a training folder. */
export interface Labelled {
  /** Training folder and path in it. */
  readonly source: string
  readonly file: string
  readonly path: string
  /** Name of the picture at its origin, without the suffix of the distributor. */
  readonly origin: string
  readonly boxes: readonly { readonly label: string; readonly box: Box }[]
  /** Labels that the folder states completely. Others are unknown. */
  readonly known: ReadonlySet<string>
}

interface Folder {
  readonly name: string
  readonly parts: readonly string[]
  /** Class number of the folder → label. */
  readonly classes: Readonly<Record<number, string>>
  readonly known: readonly string[]
}

const flames = { 0: 'fire', 1: 'smoke' }
const construction = { 0: 'hardhat', 2: 'no_hardhat', 4: 'no_vest', 5: 'person', 6: 'cone', 7: 'vest', 8: 'machinery' }
const heads = ['hardhat', 'no_hardhat']
const all = [...heads, 'vest', 'no_vest']
const whole = (name: string, classes: Folder['classes'], known: readonly string[]): Folder => ({
  name,
  parts: ['.'],
  classes,
  known,
})

/** Training folders of each head (`README.md` of the data states what each folder labels). */
const folders: Readonly<Record<Task, readonly Folder[]>> = {
  fogo: [
    { ...whole('fire-train', flames, ['fire', 'smoke']), parts: ['train', 'valid'] },
    whole('fire-more-train', flames, ['fire', 'smoke']),
    whole('fire-only-train', flames, ['fire']),
    whole('negatives-train', {}, ['fire', 'smoke']),
    whole('ppe-train', {}, ['fire', 'smoke']),
  ],
  epi: [
    whole('ppe-train', construction, all),
    whole('ppe-more-train', construction, all),
    whole('ppe-heads-train', construction, heads),
    whole('ppe-hats-train', construction, heads),
  ],
}

/** The pictures of a head's folders below `data`, sorted by name. A folder that is absent is an error. */
export async function readSources(task: Task, data: string): Promise<Labelled[]> {
  const read = folders[task].map((folder) => readFolder(data, folder))
  return (await Promise.all(read)).flat()
}

async function readFolder(data: string, { name, parts, classes, known }: Folder): Promise<Labelled[]> {
  const origins = await readOrigins(join(data, name, 'index.csv'))
  const pictures: Labelled[] = []
  for (const part of parts) {
    const files = (await readdir(join(data, name, part, 'images'))).toSorted()
    for (const file of files) {
      const labels = join(data, name, part, 'labels', file.replace(/\.[a-z]+$/, '.txt'))
      const text = Object.keys(classes).length > 0 ? await readFile(labels, 'utf8') : ''
      pictures.push({
        source: name,
        file: join(name, part, file),
        path: join(data, name, part, 'images', file),
        origin: withoutSuffix(origins.get(file) ?? file),
        boxes: text.split('\n').flatMap((line) => boxOf(line, classes)),
        known: new Set(known),
      })
    }
  }
  return pictures
}

/** Roboflow appends `_jpg.rf.` and a hash; the rest names the photograph. */
const withoutSuffix = (file: string) => file.replace(/\.rf\.[0-9a-f]+/, '').replace(/(_(jpe?g|png))?\.(jpe?g|png)$/, '')

/** `file,source,licence` → file name at the origin. Absent in two folders. */
async function readOrigins(path: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return new Map(
    text.split('\n').flatMap((line) => {
      const [file = '', source = ''] = line.split(/,"?/)
      return source ? [[file, source.replaceAll('"', '').split('/').at(-1) ?? '']] : []
    }),
  )
}

/** `class x y w h`, centre and size in fractions. */
function boxOf(line: string, classes: Folder['classes']): Labelled['boxes'] {
  const [number = -1, x = 0, y = 0, w = 0, h = 0] = line.trim().split(/\s+/).map(Number)
  const label = classes[number]
  if (line.trim() === '' || label === undefined || !(w > 0 && h > 0)) return []
  const [left, top] = [Math.max(0, x - w / 2), Math.max(0, y - h / 2)]
  const box = { x: left, y: top, w: Math.min(1, x + w / 2) - left, h: Math.min(1, y + h / 2) - top }
  return [{ label, box }]
}
