import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { builtInModels } from '@vigia/vision/built-in-models'

/** Results of the models by picture and question, so that changed constants are measured without inference. */
export interface ScoreStore {
  /** Returns the stored result of `question` on this picture, or computes and stores it. */
  of<T>(jpeg: Buffer, question: unknown, compute: () => Promise<T>): Promise<T>
  save(): Promise<void>
}

/** New results after which the file is written, so that an interrupted measurement continues. */
const SAVE_EVERY = 500

/** Stored results hold for the same model files only. */
const models = () =>
  builtInModels
    .map(({ sha256 }) => sha256)
    .toSorted()
    .join(' ')

/** @param file JSON file of earlier results; absent or of other models: it starts empty; null: nothing is stored */
export async function openScores(file: string | null): Promise<ScoreStore> {
  const found = file === null ? new Map<string, unknown>() : await read(file)
  const save = async () => {
    if (file !== null) await writeFile(file, JSON.stringify({ models: models(), found }, writeMap))
  }
  let unsaved = 0
  return {
    async of<T>(jpeg: Buffer, question: unknown, compute: () => Promise<T>): Promise<T> {
      const key = createHash('sha256').update(jpeg).update(JSON.stringify(question)).digest('base64')
      if (found.has(key)) return found.get(key) as T
      const made = await compute()
      found.set(key, made)
      unsaved = (unsaved + 1) % SAVE_EVERY
      if (unsaved === 0) await save()
      return made
    },
    save,
  }
}

async function read(file: string): Promise<Map<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => null)
  const stored = text === null ? null : JSON.parse(text, readMap)
  return stored?.models === models() ? stored.found : new Map()
}

const writeMap = (_: string, value: unknown) => (value instanceof Map ? { mapa: [...value] } : value)
const readMap = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && 'mapa' in value && Array.isArray(value.mapa)
    ? new Map(value.mapa)
    : value
