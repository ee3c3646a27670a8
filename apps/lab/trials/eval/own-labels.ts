import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Label, parseLabels } from './labels.ts'
import { parseScenes, type Scene } from './scene.ts'

const LABELS = fileURLToPath(new URL('../../labels/', import.meta.url))

/** Event labels and scenes that this project made for public footage, which keeps its own `events.csv`. */
interface OwnLabels {
  readonly labels: readonly Label[]
  readonly scenes: Readonly<Record<string, Scene>>
}

/** For the footage in a folder of this name: events and scenes in `apps/lab/labels`, named after the folder. */
export async function ownLabels(folder: string): Promise<OwnLabels> {
  const text = (name: string) => readFile(join(LABELS, `${folder}-${name}`), 'utf8').catch(() => null)
  const [csv, scenes] = await Promise.all([text('events.csv'), text('cena.json')])
  return {
    labels: csv === null ? [] : parseLabels(csv),
    scenes: scenes === null ? {} : parseScenes(scenes, `${folder}-cena.json`),
  }
}
