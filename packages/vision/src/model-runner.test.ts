import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { iou } from '@vigia/ias/geometry'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createModelRunner, type ModelRunner, type ModelRunnerOptions, type TarefaVisao } from './model-runner.ts'
import { openPicture } from './picture.ts'
import { patio, readPatio } from './testing/still.ts'

const objetos: ReadonlySet<TarefaVisao> = new Set(['objetos'])
const people = { minConfidence: 0.45, labels: ['person'] }

let open: ModelRunner[] = []
afterEach(async () => {
  await Promise.all(open.map((runner) => runner.close()))
  open = []
})

function start(options: Partial<ModelRunnerOptions> = {}): ModelRunner {
  const runner = createModelRunner({
    folder: null,
    onChange: () => undefined,
    onBroken: (error) => {
      throw error
    },
    ...options,
  })
  open.push(runner)
  return runner
}

async function ready(options: Partial<ModelRunnerOptions> = {}): Promise<ModelRunner> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const runner = start({ ...options, onChange: resolve })
  runner.need(objetos)
  await promise
  expect(runner.states()).toMatchObject([{ estado: 'pronto' }])
  return runner
}

let yard: Uint8Array
const grey = () => new Uint8Array(416 * 312 * 3).fill(110)
beforeAll(async () => {
  const picture = await openPicture(await readPatio())
  const all = { left: 0, top: 0, width: picture.width, height: picture.height }
  yard = await picture.cut(all, { width: 416, height: 312, format: 'bgr' })
})

describe('createModelRunner', () => {
  it('loads only the needed models', async () => {
    const runner = start()
    expect([runner.states(), runner.model('objetos')]).toEqual([[], null])
    await expect(runner.detect('objetos', [grey()], people)).rejects.toThrow('no usable model')
    await runner.close()

    const loading = await ready()
    expect(loading.states()).toMatchObject([{ tarefa: 'objetos', id: 'nanodet-g-416', estado: 'pronto', motivo: null }])
    expect(loading.model('objetos')).toMatchObject({
      id: 'nanodet-g-416',
      input: { width: 416, height: 312, format: 'bgr' },
    })
    expect(loading.model('objetos')?.labels.has('person')).toBe(true)
    expect(loading.model('fogo')).toBeNull()
  })

  it('returns the result of each picture in order, also for concurrent calls', async () => {
    const runner = await ready()
    const [first, second] = await Promise.all([
      runner.detect('objetos', [grey(), new Uint8Array(yard), grey()], people),
      runner.detect('objetos', [new Uint8Array(yard)], people),
    ])
    expect(first.map((found) => found.length > 0)).toEqual([false, true, false])
    expect(second).toEqual([first[1]])
    for (const person of patio.people) {
      expect(first[1]?.filter((found) => iou(found, person) > 0.45)).toMatchObject([{ rotulo: 'person' }])
    }
    expect(await runner.detect('objetos', [], people)).toEqual([])
  })

  it('transfers the memory of a picture if possible, else copies it, and rejects another size', async () => {
    const runner = await ready()
    const own = new Uint8Array(yard)
    const shared = new Uint8Array(new SharedArrayBuffer(yard.length))
    shared.set(yard)
    const large = new Uint8Array(yard.length + 8)
    large.set(yard, 8)
    const part = large.subarray(8)
    const found = await runner.detect('objetos', [own, own, shared, part], people)
    expect(found.every((each) => each.length === found[0]?.length && each.length >= patio.people.length)).toBe(true)
    expect([own.length, shared.length, part.length]).toEqual([0, yard.length, yard.length])
    await expect(runner.detect('objetos', [own], people)).rejects.toThrow(RangeError)
    await expect(runner.detect('objetos', [grey(), yard.subarray(3)], people)).rejects.toThrow(RangeError)
    expect(await runner.detect('objetos', [grey()], people)).toEqual([[]])
  })

  it('does not block the thread of the caller while the network runs', async () => {
    const runner = await ready()
    const runs = 20
    const pictures = Array.from({ length: runs }, grey)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    for (const picture of pictures) await runner.detect('objetos', [picture], people)
    clearInterval(timer)
    // A blocked thread would have about one turn for each run.
    expect(turns).toBeGreaterThan(4 * runs)
  })

  it('closes after the current runs, also when called twice', async () => {
    const runner = await ready()
    const last = runner.detect('objetos', [new Uint8Array(yard), new Uint8Array(yard)], people)
    await Promise.all([runner.close(), runner.close()])
    expect((await last).map((found) => found.length >= patio.people.length)).toEqual([true, true])
    await expect(runner.detect('objetos', [grey()], people)).rejects.toThrow('closed')
    const before = start({ onChange: () => undefined })
    before.need(objetos)
    await before.close()
  })

  const isLinux = process.platform === 'linux'
  it.runIf(isLinux)('keeps a higher niceness of the process (needs Linux)', async () => {
    const program = `
      import { readdirSync, readFileSync } from 'node:fs'
      import { createModelRunner } from ${JSON.stringify(new URL('./model-runner.ts', import.meta.url))}
      const nicenessOf = (task) =>
        Number(readFileSync('/proc/self/task/' + task + '/stat', 'utf8').split(') ')[1].split(' ')[16])
      const runner = createModelRunner({
        folder: null,
        onBroken: (error) => { throw error },
        async onChange() {
          process.stdout.write(String(Math.min(...readdirSync('/proc/self/task').map(nicenessOf))))
          await runner.close()
        },
      })
      runner.need(new Set(['objetos']))`
    const folder = await mkdtemp(join(tmpdir(), 'vigia-runner-'))
    const file = join(folder, 'program.mjs')
    await writeFile(file, program)
    const { stdout } = await promisify(execFile)('nice', ['-n', '10', process.execPath, file])
    await rm(folder, { recursive: true })
    expect(Number(stdout)).toBeGreaterThanOrEqual(10)
  })

  it.each(['throw new Error("out of order")', 'process.exit(3)'])(
    'reports once that the worker died by %s',
    async (fault) => {
      const onBroken = vi.fn<(error: unknown) => void>()
      const runner = await ready({ onBroken })
      const pending = Promise.allSettled([
        runner.detect('objetos', [new Uint8Array(yard)], people),
        runner.detect('objetos', [new Uint8Array(yard)], people),
      ])
      await inWorker(fault)
      const settled = await pending
      expect(settled.at(-1)).toMatchObject({ status: 'rejected', reason: { message: 'the vision worker died' } })
      await expect.poll(() => onBroken.mock.calls.length).toBe(1)
      expect(runner.model('objetos')).toBeNull()
      expect(runner.states()).toMatchObject([{ estado: 'indisponivel', motivo: expect.stringContaining('parou') }])
      await expect(runner.detect('objetos', [grey()], people)).rejects.toThrow('died')
      await runner.close()
      expect(onBroken).toHaveBeenCalledOnce()
    },
  )
})

/** Runs `fault` in the worker thread of this process through the inspector. */
async function inWorker(fault: string): Promise<void> {
  const session = new Session()
  session.connect()
  const attached = new Promise<string>((resolve) => {
    session.on('NodeWorker.attachedToWorker', ({ params }) => resolve(params.sessionId))
  })
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  const expression = `setImmediate(() => { ${fault} })`
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })
  await session.post('NodeWorker.sendMessageToWorker', { sessionId: await attached, message })
  session.disconnect()
}
