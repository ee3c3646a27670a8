/**
 * Trains the heads of the second opinion for fire, smoke, helmet and vest, each in a process of its own: `npm run
 * train-heads -- [--data FOLDER] [--out FOLDER] [--seed N] [--every N] [--task fogo|epi] [--write]`.
 *
 * `--every N` uses every N-th picture. `--write` writes the model files of the product, and `training/heads.json`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { modelManifest } from '@vigia/vision/registry'
import { type Task, tasks } from './sources.ts'
import { train } from './train.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('../../../../../shared/data', import.meta.url)) },
    out: { type: 'string', default: '/tmp/vigia-heads' },
    seed: { type: 'string', default: '7' },
    every: { type: 'string', default: '1' },
    task: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const { data, out, seed, every } = values
const results = fileURLToPath(new URL('../../training/heads.json', import.meta.url))
const modelOf = (task: Task) => `${task}-mobilenetv2-300`

async function trainOne(task: Task): Promise<void> {
  const options = { data, seed: Number(seed), every: Number(every), progress: (text: string) => console.log(text) }
  const { model, sha256, weights, report } = await train(task, options)
  await writeFile(join(out, `${modelOf(task)}.onnx`), model)
  await writeFile(join(out, `${task}.json`), JSON.stringify({ sha256, weights }))
  await writeFile(join(out, `${task}.md`), `${report}\n`)
}

/** Both heads at the same time: each inference blocks its process. */
async function trainAll(): Promise<void> {
  const wait = tasks.map(async (task) => {
    const args = ['--data', data, '--out', out, '--seed', seed, '--every', every, '--task', task]
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`the training of ${task} ended with ${code}`)
  })
  await Promise.all(wait)
  const trained = tasks.map(async (task) => {
    console.log(await readFile(join(out, `${task}.md`), 'utf8'))
    return [modelOf(task), JSON.parse(await readFile(join(out, `${task}.json`), 'utf8'))] as const
  })
  const all = Object.fromEntries(await Promise.all(trained))
  console.log(JSON.stringify(all, null, 2))
  if (!values.write) return
  // Numbers of one array are on one line, as the formatter of the repository requires.
  const text = JSON.stringify(all, null, 2).replaceAll(
    /\[([^\]]*)\]/g,
    (_, inner: string) => `[${inner.trim().split(/\s+/).join(' ')}]`,
  )
  await writeFile(results, `${text}\n`)
  for (const task of tasks) {
    const { caminho } = modelManifest(modelOf(task))
    await writeFile(caminho, await readFile(join(out, `${modelOf(task)}.onnx`)))
  }
}

const startMs = Date.now()
await mkdir(out, { recursive: true })
const task = tasks.find((one) => one === values.task)
if (task) await trainOne(task)
else await trainAll()
console.log(`${task ?? 'all'}: ${Math.round((Date.now() - startMs) / 1000)} s`)
