import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanEnv } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { describe, expect, it } from 'vitest'
import { type Child, ChildFailed, createChild, type UnplannedEnd } from './child.ts'

const SILENCE_MS = 1_000
const LONG_MS = 5 * SILENCE_MS
const program = new URL('./testing/faulty-program.ts', import.meta.url)

/** Starts a supervised program with this fault (faulty-program.ts). Closed by `await using`. */
function supervise(fault: string, blockedMs = 0) {
  const dir = temporaryFolder('vigia-child-')
  const ends: (UnplannedEnd & { readonly retryMs: number })[] = []
  const child: Child = createChild({
    name: 'programa',
    entry: program,
    args: [fault, join(dir, 'marca'), String(blockedMs)],
    env: cleanEnv(),
    logFile: join(dir, 'programa.log'),
    silenceMs: SILENCE_MS,
    onCrash: (end, retryMs) => ends.push({ ...end, retryMs }),
    // The largest possible jitter.
    random: () => 1,
  })
  return {
    child,
    ends,
    log: () => readFileSync(join(dir, 'programa.log'), 'utf8'),
    stepFinished: () =>
      waitFor('the step to finish', () => readFileSync(join(dir, 'marca'), 'utf8') !== '', { everyMs: 20 }),
    async start(): Promise<number> {
      await child.start()
      return child.pid() ?? Number.NaN
    },
    async [Symbol.asyncDispose]() {
      await child.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

describe.concurrent('a program', () => {
  it.each<[string, string, (pid: number) => void]>([
    ['stopped by SIGSTOP', 'ok', (pid) => process.kill(pid, 'SIGSTOP')],
    ['in an endless loop', 'loop', () => {}],
    ['whose own check never ends', 'dead-lock', () => {}],
  ])('kills and restarts a program that does not answer: %s', async (_what, fault, act) => {
    await using programa = supervise(fault)
    const pid = await programa.start()
    act(pid)
    const next = () => programa.child.pid()
    await waitFor('another process', () => next() !== undefined && next() !== pid, { everyMs: 20 })
    expect(programa.ends).toMatchObject([{ reason: 'SIGKILL', silentMs: SILENCE_MS }])
    expect(existsSync(`/proc/${pid}`)).toBe(false)
    const line = programa
      .log()
      .split('\n')
      .find((text) => text.includes('"watchdog"'))
    expect(JSON.parse(line ?? '')).toMatchObject({ programa: 'programa', pid, silencio_ms: SILENCE_MS })
  })

  it('restarts a program that freezes repeatedly with growing delays', async () => {
    await using programa = supervise('always-loop')
    await programa.start()
    await waitFor('two ends', () => programa.ends.length === 2, { everyMs: 20 })
    expect(programa.ends.map(({ retryMs }) => retryMs)).toEqual([1_000, 2_000])
  })

  it('kills a program when a step takes longer than announced', async () => {
    await using programa = supervise('endless-step')
    const error = await programa.start().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ChildFailed)
    expect(error).toMatchObject({ end: { reason: 'SIGKILL', silentMs: 300 } })
    expect(programa.log()).toContain('"etapa":"migração"')
  })

  it('quotes a program that refuses to start, without a stack trace', async () => {
    await using programa = supervise('always-refuses')
    await expect(programa.start()).rejects.toThrow(
      /^programa não iniciou \(código 1\)\. Falta um arquivo\.\n1\. Restaure-o\.$/,
    )
    await using other = supervise('always-refuses-by-a-fault')
    await expect(other.start()).rejects.toThrow(/^programa não iniciou \(código 1\)\. Veja o motivo em \S+$/)
  })

  it.each([
    ['during its start', 'long-step'],
    ['later on', 'long-step-later'],
  ])('does not kill a program that blocks for the announced time: %s', async (_when, fault) => {
    await using programa = supervise(fault, LONG_MS)
    const pid = await programa.start()
    await programa.stepFinished()
    expect([programa.child.pid(), programa.ends]).toEqual([pid, []])
  })
})

it('has logged the kill when it reports the failed start', async () => {
  await using programa = supervise('endless-step')
  const start = programa.start().catch((caught: unknown) => caught)
  let isReported = false
  void start.then(() => (isReported = true))
  await waitFor('the process', () => programa.child.pid(), { everyMs: 20 })
  const release = blockThreadPool()
  await waitFor('the end of the process', () => programa.child.pid() === undefined, { everyMs: 20 })
  expect([isReported, programa.log()]).toEqual([false, ''])
  release()
  expect(await start).toBeInstanceOf(ChildFailed)
  expect(programa.log()).toContain('"etapa":"migração"')
})

it('a program survives a suspension of its supervisor', async () => {
  await using programa = supervise('ok')
  const pid = await programa.start()
  // Timers and messages are delayed meanwhile, as after SIGSTOP.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * SILENCE_MS)
  await delay(SILENCE_MS / 2)
  expect([programa.child.pid(), programa.ends]).toEqual([pid, []])
})

/** Blocks every thread that libuv uses for files: opening a FIFO waits for its writer. */
function blockThreadPool(): () => void {
  const dir = temporaryFolder('vigia-fifo-')
  const fifo = join(dir, 'fifo')
  execFileSync('mkfifo', [fifo])
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
  const readers = Array.from({ length: threads }, () => open(fifo, 'r'))
  return () => {
    const writer = openSync(fifo, 'w')
    void Promise.all(readers).then(async (files) => {
      closeSync(writer)
      for (const file of files) await file.close()
      rmSync(dir, { recursive: true })
    })
  }
}
