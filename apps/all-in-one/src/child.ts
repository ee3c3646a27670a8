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
  /** A program that gives no sign of life for this long is killed and restarted, ms. */
  readonly silenceMs: number
  /** Called at every unplanned end, with the delay (ms) until the next start. */
  readonly onCrash: (end: UnplannedEnd, retryMs: number) => void
  /** In place of Math.random. */
  readonly random?: () => number
}

export interface UnplannedEnd {
  /** Signal, exit code, or why the program did not start. */
  readonly reason: string
  /** The program was killed because it gave no sign of life for this long, ms; null: it ended by itself. */
  readonly silentMs: number | null
}

export interface Child {
  readonly name: string
  /** Process id of the running instance; undefined between two. */
  pid(): number | undefined
  /** Starts the program and resolves with what it said when ready; rejects when its first start fails. */
  start(): Promise<{ porta?: number }>
  /** SIGTERM, then SIGKILL after `graceMs`; resolves when the process is gone. Never restarts afterwards. */
  stop(graceMs?: number): Promise<void>
}

const LOG_MAX_BYTES = 20 * 1024 * 1024
const RESTART: BackoffLimits = { minMs: 500, maxMs: 30_000, jitter: 'full' }
/** A process that ran this long was healthy: the next crash starts again from the shortest delay. */
const HEALTHY_MS = 60_000
/** Beats in the longest silence. */
const BEATS = 5

/**
 * A program in a process of its own, restarted for ever with jittered back-off after it was ready once. A program that is silent for
 * `silenceMs` is killed. Its output goes to a log file of bounded size; the IPC channel carries signs of life (`LifeSign`) and, by
 * closing, the end of this process.
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
      // A process group of its own: Ctrl-C reaches only us, and we stop the programs in their right order.
      detached: true,
    })
    current = child
    return await new Promise((resolve, reject) => {
      let ready = false
      let step = 'start'
      let silentMs: number | null = null
      const watchdog = createWatchdog({
        silenceMs: options.silenceMs,
        firstMs: START_MS,
        onSilence: (limitMs) => {
          silentMs = limitMs
          killGroup(child)
          const line = watchdogLine({ programa: options.name, pid: child.pid, etapa: step, silencio_ms: limitMs })
          // The disk may be full: `onCrash` carries the reason, too.
          log?.appendFile(line).catch(() => {})
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
        if (!('pronto' in sign)) return
        ready = true
        resolve(sign.porta === undefined ? {} : { porta: sign.porta })
      })
      child.on('error', (error) => {
        // A process that could not be started has no `exit`.
        if (child.pid === undefined) watchdog.stop()
        reject(error)
      })
      child.once('exit', (code, signal) => {
        watchdog.stop()
        void log?.close()
        if (current === child) current = undefined
        const reason = signal ?? `código ${code}`
        const ranMs = performance.now() - startedAt - watchdog.silentMs()
        if (!ready) reject(new ChildFailed(options.name, { reason, silentMs }, options.logFile))
        else if (!stopping) scheduleRestart({ reason, silentMs }, ranMs)
      })
    })
  }

  /** `ranMs` without the silence at its end: a program that freezes at once is no healthy one, however long the watchdog waits. */
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

/** A start of a program failed: its name and how it ended, for the one line that the person sees. */
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

/** What a program that ended by itself wrote for a person: the last lines of its log that are no JSON. null: none, or a stack trace. */
function lastWords(logFile: string): string | null {
  try {
    const lines = readFileSync(logFile, 'utf8').slice(-8_192).trimEnd().split('\n')
    const words = lines.slice(lines.findLastIndex((line) => line.startsWith('{')) + 1).join('\n')
    return words === '' || /^\s+at /m.test(words) ? null : words
  } catch {
    return null
  }
}

/** With the processes that it started: a frozen one among them would stay behind. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** One line in the form of the program's own log. */
const watchdogLine = (fields: object): string =>
  `${JSON.stringify({ level: 50, time: Date.now(), name: 'watchdog', ...fields, msg: 'no sign of life: killed' })}\n`

/** Null: a full disk takes no file. The program runs without its log rather than not at all. */
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
