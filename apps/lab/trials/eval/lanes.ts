import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FromLane, Job, ToLane } from './lane-protocol.ts'
import type { ModelResult } from './result.ts'

export type JobResult = Extract<FromLane, { kind: 'video' | 'stills' | 'longo' }>

/** `done`: seconds of video or pictures of the job at `index`. */
type OnProgress = (index: number, done: number | 'all') => void

export interface Lanes {
  readonly models: readonly ModelResult[]
  readonly count: number
  /** Runs all jobs, each in the first free process; results in the order of the jobs. Rejects when a process dies. */
  run(jobs: readonly Job[], onProgress: OnProgress): Promise<JobResult[]>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('./lane.ts', import.meta.url))

interface Lane {
  readonly child: ChildProcess
  readonly exited: Promise<void>
  do(job: Job, onProgress: (done: number) => void): Promise<JobResult>
  readonly ready: Promise<readonly ModelResult[]>
}

function startLane(modelsFolder: string | null): Lane {
  const child = fork(program, modelsFolder === null ? [] : [modelsFolder], {
    serialization: 'advanced',
    // stdout is reserved for reports and JSON.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ready = Promise.withResolvers<readonly ModelResult[]>()
  let current: { resolve(result: JobResult): void; reject(error: Error): void; onProgress(done: number): void } | null =
    null
  child.on('message', (message: FromLane) => {
    if (message.kind === 'ready') ready.resolve(message.models)
    else if (message.kind === 'progress') current?.onProgress(message.done)
    else current?.resolve(message)
  })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      const error = new Error(`a process of the evaluation ended (${signal ?? code})`)
      ready.reject(error)
      current?.reject(error)
      resolve()
    })
  })
  return {
    child,
    exited,
    ready: ready.promise,
    do: (job, onProgress) =>
      new Promise((resolve, reject) => {
        current = { resolve, reject, onProgress }
        child.send({ kind: 'job', job } satisfies ToLane)
      }),
  }
}

/** Starts the processes for videos and pictures, at most one per core; `modelsFolder`: an installer's models. */
export async function startLanes(modelsFolder: string | null, most: number): Promise<Lanes> {
  const lanes = Array.from({ length: Math.max(1, Math.min(most, availableParallelism())) }, () =>
    startLane(modelsFolder),
  )
  const stop = async () => {
    for (const { child } of lanes) if (child.connected) child.send({ kind: 'stop' } satisfies ToLane)
    await Promise.all(lanes.map(({ exited }) => exited))
  }
  const models = await Promise.all(lanes.map(({ ready }) => ready)).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    models: models[0] ?? [],
    count: lanes.length,
    async run(jobs, onProgress) {
      const results: JobResult[] = []
      let next = 0
      const work = async (lane: Lane) => {
        for (;;) {
          const index = next++
          const job = jobs[index]
          if (!job) return
          results[index] = await lane.do(job, (done) => onProgress(index, done))
          onProgress(index, 'all')
        }
      }
      await Promise.all(lanes.map(work))
      return results
    },
    stop,
  }
}
