import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import { modelManifest } from '@vigia/vision/registry'
import type { z } from 'zod'
import { type Task, tasks } from './sources.ts'
import type { TrainOrder } from './train-program.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

const program = fileURLToPath(new URL('./train-program.ts', import.meta.url))
const results = fileURLToPath(new URL('../../training/heads.json', import.meta.url))
const modelOf = (task: Task) => `${task}-mobilenetv2-300`

/** Trains the heads at the same time, each in a process: an inference blocks its process. */
export async function carryOut(
  { data, out, seed, every, task: only, write }: Options,
  { print }: TrialOutput,
): Promise<Result> {
  if (write && only !== undefined) throw new WrongCall('--write needs both heads: leave --task out')
  const trained = only === undefined ? tasks : [only]
  await mkdir(out, { recursive: true })
  await Promise.all(trained.map((task) => trainHead({ task, data, out, seed, every })))
  const heads: Record<string, unknown> = {}
  for (const task of trained) {
    print(await readFile(join(out, `${task}.md`), 'utf8'))
    heads[modelOf(task)] = JSON.parse(await readFile(join(out, `${task}.json`), 'utf8'))
  }
  print(JSON.stringify(heads, null, 2))
  if (write) await writeHeads(heads, out)
  return { passed: true, figures: { heads } }
}

async function trainHead(order: TrainOrder): Promise<void> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the training of ${order.task} ended with ${code}`)
}

async function writeHeads(heads: Readonly<Record<string, unknown>>, out: string): Promise<void> {
  // Numbers of one array are on one line, as the formatter of the repository requires.
  const text = JSON.stringify(heads, null, 2).replaceAll(
    /\[([^\]]*)\]/g,
    (_, inner: string) => `[${inner.trim().split(/\s+/).join(' ')}]`,
  )
  await writeFile(results, `${text}\n`)
  for (const task of tasks) await copyFile(join(out, `${modelOf(task)}.onnx`), modelManifest(modelOf(task)).caminho)
}
