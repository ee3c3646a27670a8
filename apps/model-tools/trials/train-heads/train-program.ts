import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from './sources.ts'
import { train } from './train.ts'

/** Trains one head; its only argument is a TrainOrder as JSON. */

export interface TrainOrder {
  readonly task: Task
  readonly data: string
  /** Folder for the model and for `<task>.json` and `<task>.md`. */
  readonly out: string
  readonly seed: number
  readonly every: number
}

const { task, data, out, seed, every } = JSON.parse(process.argv[2] ?? '') as TrainOrder
const { model, sha256, weights, report } = await train(task, { data, seed, every, progress: console.log })
await writeFile(join(out, `${task}-mobilenetv2-300.onnx`), model)
await writeFile(join(out, `${task}.json`), JSON.stringify({ sha256, weights }))
await writeFile(join(out, `${task}.md`), `${report}\n`)
