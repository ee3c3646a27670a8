import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWatchdog } from '@vigia/runtime/watchdog'

const root = new URL('../../../', import.meta.url)
export const repositoryRoot = fileURLToPath(root)

export interface Program {
  readonly name: string
  readonly pid: number
  /** Port that the program reported. */
  readonly porta: number | undefined
  /** Output so far, stdout and stderr. */
  output(): string
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Sends a message over the IPC channel. */
  send(message: object): void
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
  /** Kills the program after this time without a heartbeat, like a supervisor; resolves at its exit. */
  killWhenSilent(silenceMs: number): Promise<void>
}

export interface ProgramOptions {
  /** Path of the program below the repository root, e.g. `apps/cloud/src/main.ts`. */
  readonly entry: string
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
  readonly readyMs?: number
  /** File for a copy of the output, for the analysis of a failed test. */
  readonly logFile?: string
  /** Node inside a namespace (isolated-disk.ts); default: the Node of this process. */
  readonly execPath?: string
}

const KEPT_OUTPUT = 4 * 1024 * 1024
/** Newest programs of this process, for the report of a failed test. */
const recent: { readonly entry: string; readonly pid: number | undefined; output(): string }[] = []
const MAX_RECENT = 8

/** Returns the end of the output of the newest programs, as text. */
export const recentOutput = (maxChars = 4_000): string =>
  recent.map(({ entry, pid, output }) => `--- ${entry}, process ${pid}\n${output().slice(-maxChars)}`).join('\n')

/** Starts a program of the product as a real process and resolves when it reports that it is ready. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const child = launch(options)
  let output = ''
  recent.push({ entry: options.entry, pid: child.pid, output: () => output })
  if (recent.length > MAX_RECENT) recent.shift()
  const log = options.logFile ? createWriteStream(options.logFile, { flags: 'a' }) : null
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT)
      log?.write(chunk)
    })
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  void exited.then(() => log?.end())
  const porta = await ready(child, options, () => output)
  return {
    name: options.entry,
    pid: child.pid ?? 0,
    porta,
    output: () => output,
    exited,
    send: (message) => void child.send(message),
    async stop() {
      child.kill('SIGTERM')
      return await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async killWhenSilent(silenceMs) {
      const onSilence = () => void child.kill('SIGKILL')
      const watchdog = createWatchdog({ silenceMs, firstMs: silenceMs, onSilence })
      child.on('message', () => watchdog.heard())
      await exited
      watchdog.stop()
    },
  }
}

/** Guards against a hang. Many tests of a whole run share two cores. */
const RUN_MS = 170_000
const READY_MS = 110_000

/** Runs a program that ends by itself, and returns its exit code and output. */
export async function runProgram(options: ProgramOptions): Promise<{ code: number | null; output: string }> {
  const child = launch(options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), options.readyMs ?? RUN_MS)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return { code, output }
}

/** Node's compile cache of the programs. `npm ci` removes it. */
const compileCache = join(repositoryRoot, 'node_modules/.cache/test-programs')

/** Returns the environment of a test program: only the necessary variables, without the user's own settings. */
export function cleanEnv(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH', 'MALLOC_ARENA_MAX'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(kept), NODE_COMPILE_CACHE: compileCache, ...extra }
}

const launch = (options: ProgramOptions): ChildProcess =>
  fork(new URL(options.entry, root), options.args ?? [], {
    cwd: repositoryRoot,
    env: cleanEnv(options.env),
    execArgv: [],
    ...(options.execPath !== undefined && { execPath: options.execPath }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

const ready = (child: ChildProcess, options: ProgramOptions, output: () => string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`${options.entry} ${why}; the end of its output:\n${output().slice(-3000)}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('was not ready in time')
    }, options.readyMs ?? READY_MS)
    child.on('message', (message: { pronto?: true; porta?: number }) => {
      if (!message.pronto) return
      clearTimeout(timer)
      resolve(message.porta)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      fail(`ended (${signal ?? code}) before it was ready`)
    })
  })
