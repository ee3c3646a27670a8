import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, rename, stat } from 'node:fs/promises'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import { BEAT_SETTING, type LifeSign, START_MS } from '@vigia/runtime/life-sign'
import { createWatchdog } from '@vigia/runtime/watchdog'

export interface ChildOptions {
  readonly name: string
  /** The program's main.ts. */
  readonly entry: URL
  readonly args?: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** Time without a sign of life after which the program is killed and restarted. */
  readonly silenceMs: number
  /** Called at every unplanned end, with the delay until the next start. */
  readonly onCrash: (end: UnplannedEnd, retryMs: number) => void
  /** Called at the sign of the cloud that the demonstration was ended. */
  readonly onDemonstrationEnd?: () => void
  /** Replaces Math.random. */
  readonly random?: () => number
}

export interface UnplannedEnd {
  /** Signal, exit code, or the reason of a failed start. */
  readonly reason: string
  /** Time without a sign of life before the program was killed; null: it ended by itself. */
  readonly silentMs: number | null
}

export interface Child {
  readonly name: string
  /** Process id of the running instance; undefined between two instances. */
  pid(): number | undefined
  /** Starts the program and resolves with its ready message; rejects when its first start fails. */
  start(): Promise<{ porta?: number }>
  /** Sends SIGTERM, then SIGKILL after `graceMs`; resolves when the process has ended. Never restarts afterwards. */
  stop(graceMs?: number): Promise<void>
}

const LOG_MAX_BYTES = 20 * 1024 * 1024
const RESTART: BackoffLimits = { minMs: 500, maxMs: 30_000, jitter: 'full' }
/** After this run time a process counts as healthy: the next crash restarts with the shortest delay. */
const HEALTHY_MS = 60_000
/** Number of heartbeats within `silenceMs`. */
const BEATS = 5

/**
 * A program in a separate process. After its first successful start every crash is followed by a restart with jittered
 * back-off. A program without a sign of life for `silenceMs` is killed. Its output goes to a log file of bounded size.
 * The IPC channel carries signs of life (`LifeSign`). It closes when this process ends, which stops the program.
 */
export function createChild(options: ChildOptions): Child {
  let current: ChildProcess | undefined
  let stopping = false
  let attempts = 0
  let retryTimer: NodeJS.Timeout | undefined

  async function launch(): Promise<{ porta?: number }> {
    const log = await openLog(options.logFile)
    const startedAt = performance.now()
    const child = fork(options.entry, options.args ?? [], {
      env: { ...options.env, [BEAT_SETTING]: String(Math.min(1_000, Math.ceil(options.silenceMs / BEATS))) },
      execArgv: [],
      stdio: ['ignore', log?.fd ?? 'ignore', log?.fd ?? 'ignore', 'ipc'],
      // A separate process group: Ctrl-C reaches only this process, which stops the programs in the right order.
      detached: true,
    })
    current = child
    return await new Promise((resolve, reject) => {
      let ready = false
      let step = 'start'
      let silentMs: number | null = null
      let lineWritten: Promise<unknown> | undefined
      const watchdog = createWatchdog({
        silenceMs: options.silenceMs,
        firstMs: START_MS,
        onSilence: (limitMs) => {
          silentMs = limitMs
          killGroup(child)
          const line = watchdogLine({ programa: options.name, pid: child.pid, etapa: step, silencio_ms: limitMs })
          // A full disk loses this line, so `onCrash` reports the reason too.
          lineWritten = log?.appendFile(line).catch(() => {})
        },
      })
      child.on('message', (sign: LifeSign) => {
        if ('etapa' in sign) {
          step = sign.etapa
          watchdog.heard(sign.limiteMs)
          return
        }
        step = 'running'
        watchdog.heard()
        if ('demonstracao' in sign) options.onDemonstrationEnd?.()
        if (!('pronto' in sign)) return
        ready = true
        resolve(sign.porta === undefined ? {} : { porta: sign.porta })
      })
      child.on('error', (error) => {
        // A process that failed to start emits no `exit`.
        if (child.pid === undefined) watchdog.stop()
        reject(error)
      })
      child.once('exit', async (code, signal) => {
        watchdog.stop()
        if (current === child) current = undefined
        const reason = signal ?? `código ${code}`
        const ranMs = performance.now() - startedAt - watchdog.silentMs()
        // After a failed start the launcher exits: the line must be in the file by then.
        await lineWritten
        void log?.close()
        if (!ready) reject(new ChildFailed(options.name, { reason, silentMs }, options.logFile))
        else if (!stopping) scheduleRestart({ reason, silentMs }, ranMs)
      })
    })
  }

  /**
   * `ranMs` excludes the silence at the end: a program that freezes at once is not healthy, regardless of `silenceMs`.
   */
  function scheduleRestart(end: UnplannedEnd, ranMs: number): void {
    attempts = ranMs > HEALTHY_MS ? 0 : attempts + 1
    const delay = backoffMs(attempts, RESTART, options.random)
    options.onCrash(end, delay)
    retryTimer = setTimeout(() => {
      const from = performance.now()
      launch().catch((error: Error) => {
        const end = error instanceof ChildFailed ? error.end : { reason: error.message, silentMs: null }
        if (!stopping) scheduleRestart(end, performance.now() - from - (end.silentMs ?? 0))
      })
    }, delay)
  }

  return {
    name: options.name,
    pid: () => current?.pid,
    start: launch,
    async stop(graceMs = 8000) {
      stopping = true
      clearTimeout(retryTimer)
      const child = current
      if (!child) return
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await gone
      clearTimeout(timer)
    },
  }
}

/** Error of a program that failed to start, with its name and its end for the console line. */
export class ChildFailed extends Error {
  override readonly name = 'ChildFailed'
  readonly end: UnplannedEnd
  constructor(program: string, end: UnplannedEnd, logFile: string) {
    const why = end.silentMs === null ? end.reason : `ficou ${Math.round(end.silentMs / 1000)} s sem responder`
    const words = end.reason.startsWith('código') ? lastWords(logFile) : null
    super(`${program} não iniciou (${why}). ${words === null ? `Veja o motivo em ${logFile}` : words}`)
    this.end = end
  }
}

/**
 * Returns the last lines of a program's log that are not JSON, its message to the operator. Null: none, or a stack
 * trace.
 */
function lastWords(logFile: string): string | null {
  try {
    const lines = readFileSync(logFile, 'utf8').slice(-8_192).trimEnd().split('\n')
    const words = lines.slice(lines.findLastIndex((line) => line.startsWith('{')) + 1).join('\n')
    return words === '' || /^\s+at /m.test(words) ? null : words
  } catch {
    return null
  }
}

/** Kills the program with its child processes: a frozen child would survive otherwise. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Formats a line like the program's own log. */
const watchdogLine = (fields: object): string =>
  `${JSON.stringify({ level: 50, time: Date.now(), name: 'watchdog', ...fields, msg: 'no sign of life: killed' })}\n`

/** Null: the disk is full. The program then runs without a log. */
export async function openLog(file: string): Promise<FileHandle | null> {
  const size = await stat(file).then(
    (s) => s.size,
    () => 0,
  )
  try {
    if (size > LOG_MAX_BYTES) await rename(file, `${file}.1`)
    return await open(file, 'a', 0o600)
  } catch (error) {
    process.stderr.write(`O registro ${file} não pôde ser aberto (${(error as Error).message}).\n`)
    return null
  }
}
