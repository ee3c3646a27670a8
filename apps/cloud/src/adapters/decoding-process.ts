import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import { availableMemory, boundChild } from '@vigia/runtime/process-memory'
import type { Logger } from '../http/request-log.ts'

export interface DecodingProcessOptions {
  readonly log: Logger
  /** Name in the log, for example `verifier`. */
  readonly name: string
  readonly program: string
  readonly args?: readonly string[]
  /** Time limit for one request, without the start of the process. */
  readonly timeoutMs: number
  /** Time limit for the start of the process. */
  readonly startMs: number
}

/** A child process that decodes pictures. It sends `pronto`, then answers each request with the id of the request. */
export interface DecodingProcess<Request, Reply> {
  /**
   * @param onSent called when the process, which may have to start first, has the request
   * @throws Error if the process ended, gave no answer in time, or is stopping
   */
  ask(request: Request, onSent?: () => void): Promise<Reply>
  /** Ends the process now. Its running requests are rejected, and the next one starts it without a delay. */
  end(): void
  /** Ends the process; running requests are rejected. */
  stop(): Promise<void>
}

type Message<Reply> = { readonly tipo: 'pronto' } | (Reply & { readonly tipo: string; readonly id: number })

const RESTART: BackoffLimits = { minMs: 500, maxMs: 60_000, jitter: [0.5, 1.5] }

/** Part of the memory of the machine: models of an installation may be large. */
const CHILD_PART = 0.5

/**
 * Starts the process at the first use, and again after it ended, with increasing delays. A picture that makes it hang
 * or crash costs one attempt and does not affect the cloud.
 */
export function createDecodingProcess<Request extends object, Reply extends object>({
  log,
  name,
  program,
  args = [],
  timeoutMs,
  startMs,
}: DecodingProcessOptions): DecodingProcess<Request, Reply> {
  let running: Promise<ChildProcess> | null = null
  let current: ChildProcess | null = null
  let failures = 0
  let notBefore = 0
  let nextId = 1
  const stop = new AbortController()
  const children = new Set<ChildProcess>()
  /** Processes whose failure is counted, or that were ended: one failure rejects all of their requests. */
  const failedOnes = new WeakSet<Promise<ChildProcess>>()

  const failed = (process: Promise<ChildProcess>, why: string) => {
    if (failedOnes.has(process)) return
    failedOnes.add(process)
    failures += 1
    const pause = backoffMs(failures, RESTART)
    notBefore = performance.now() + pause
    process.then(
      (child) => child.kill('SIGKILL'),
      () => {},
    )
    if (running === process) running = current = null
    log.warn({ motivo: why, proxima_em_ms: pause }, `${name} process ended`)
  }

  const start = (): Promise<ChildProcess> => {
    // The complete environment of the process, without settings of the cloud, because some are secrets.
    const env = { PATH: process.env.PATH ?? '' }
    const child = fork(program, [...args], {
      env,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    boundChild(child, CHILD_PART * availableMemory(), (bytes) =>
      log.warn({ bytes }, `${name} process above its memory: killed`),
    )
    children.add(child)
    child.once('exit', () => {
      children.delete(child)
      if (current === child) running = current = null
    })
    // Without a listener, a message to an ended process would crash this one.
    child.on('error', (err) => log.debug({ err }, `${name} process`))
    current = child
    child.stderr?.on('data', (chunk: Buffer) =>
      log.debug({ saida: chunk.toString('utf8').slice(0, 2000) }, `${name} process`),
    )
    return answer<Reply, ChildProcess>(child, startMs, (message) => ('id' in message ? null : child))
  }

  return {
    async ask(request, onSent) {
      // Also delays the queue of the caller, because no process answers until the restart.
      await delay(Math.max(0, notBefore - performance.now()), undefined, { signal: stop.signal })
      running ??= start()
      const used = running
      try {
        const id = nextId++
        const child = await used
        child.send({ ...request, id })
        onSent?.()
        const reply = await answer<Reply, Reply>(child, timeoutMs, (message) =>
          'id' in message && message.id === id ? message : null,
        )
        failures = 0
        return reply
      } catch (error) {
        if (!stop.signal.aborted) failed(used, error instanceof Error ? error.message : String(error))
        throw error
      }
    },
    end() {
      if (running) failedOnes.add(running)
      current?.kill('SIGKILL')
      running = current = null
    },
    async stop() {
      stop.abort()
      running = current = null
      await Promise.all([...children].map(kill))
    },
  }
}

/**
 * The first message for which `pick` returns a value. Rejects when the process ends; after `timeoutMs` it also kills
 * the process.
 */
function answer<Reply, T>(
  child: ChildProcess,
  timeoutMs: number,
  pick: (message: Message<Reply>) => T | null,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      outcome()
    }
    const onMessage = (message: unknown) => {
      const picked = pick(message as Message<Reply>)
      if (picked !== null) settle(() => resolve(picked))
    }
    const onError = (error: Error) => settle(() => reject(error))
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`process ended (${signal ?? code})`)))
    const timer = setTimeout(() => {
      // SIGKILL, because a process inside native code does not handle other signals.
      child.kill('SIGKILL')
      settle(() => reject(new Error(`no answer in ${timeoutMs} ms`)))
    }, timeoutMs)
    child.on('message', onMessage).on('exit', onExit).on('error', onError)
  })
}

const kill = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
