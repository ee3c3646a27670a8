import { type ChildProcess, fork } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { open, rename, stat } from 'node:fs/promises'

export interface ChildOptions {
  readonly name: string
  /** The program's main.ts. */
  readonly entry: URL
  readonly args?: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** Told about every unplanned end, with the delay (ms) until the next start. */
  readonly onCrash: (reason: string, retryMs: number) => void
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
const RETRY_MIN_MS = 500
const RETRY_MAX_MS = 30_000
/** A process that ran this long was healthy: the next crash starts again from the shortest delay. */
const HEALTHY_MS = 60_000
const READY_MS = 45_000

/**
 * A program in a process of its own, restarted for ever with jittered back-off after it was ready once. Its output goes to a
 * log file of bounded size; the IPC channel carries only `{pronto: true, porta}` and, by closing, the end of this process.
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
      env: options.env,
      execArgv: [],
      stdio: ['ignore', log?.fd ?? 'ignore', log?.fd ?? 'ignore', 'ipc'],
      // A process group of its own: Ctrl-C reaches only us, and we stop the programs in their right order.
      detached: true,
    })
    current = child
    const closeLog = () => void log?.close()
    return await new Promise((resolve, reject) => {
      let ready = false
      const timer = setTimeout(() => {
        if (!ready) child.kill('SIGKILL')
      }, READY_MS)
      child.on('message', (message: { pronto?: true; porta?: number }) => {
        if (!message.pronto) return
        ready = true
        clearTimeout(timer)
        resolve(message.porta === undefined ? {} : { porta: message.porta })
      })
      child.on('error', reject)
      child.once('exit', (code, signal) => {
        clearTimeout(timer)
        closeLog()
        if (current === child) current = undefined
        const reason = signal ?? `código ${code}`
        if (!ready) reject(new ChildFailed(options.name, reason, options.logFile))
        else if (!stopping) scheduleRestart(reason, performance.now() - startedAt)
      })
    })
  }

  function scheduleRestart(reason: string, ranMs: number): void {
    attempts = ranMs > HEALTHY_MS ? 0 : attempts + 1
    const ceiling = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** attempts)
    const delay = Math.round(RETRY_MIN_MS + Math.random() * (ceiling - RETRY_MIN_MS))
    options.onCrash(reason, delay)
    retryTimer = setTimeout(() => {
      const from = performance.now()
      launch().catch((error: Error) => {
        if (!stopping) scheduleRestart(error.message, performance.now() - from)
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

/** The first start of a program failed: its name and how it ended, for the one line that the person sees. */
export class ChildFailed extends Error {
  override readonly name = 'ChildFailed'
  readonly program: string
  readonly logFile: string
  constructor(program: string, reason: string, logFile: string) {
    super(`${program} não iniciou (${reason}). Veja o motivo em ${logFile}`)
    this.program = program
    this.logFile = logFile
  }
}

/** Null: a full disk takes no file. The program runs without its log rather than not at all. */
async function openLog(file: string): Promise<FileHandle | null> {
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
