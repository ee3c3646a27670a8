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
  /** Port the program said it listens on. */
  readonly porta: number | undefined
  /** Everything it wrote so far, stdout and stderr. */
  output(): string
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** SIGTERM and wait for the end. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** SIGKILL and wait for the end. */
  kill(): Promise<void>
  /** Kills it once it has given no sign of life for this long, as a supervisor does; resolves when it has ended. */
  killWhenSilent(silenceMs: number): Promise<void>
}

export interface ProgramOptions {
  /** Path of the program below the repository root, e.g. `apps/cloud/src/main.ts`. */
  readonly entry: string
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
  readonly readyMs?: number
  /** Also write the output to this file, to read after a failed test. */
  readonly logFile?: string
  /** In place of this process's Node: one inside a namespace (isolated-disk.ts). */
  readonly execPath?: string
}

const KEPT_OUTPUT = 4 * 1024 * 1024

/** Starts one of the product's programs as a real process and resolves when it says that it is ready. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const child = launch(options)
  let output = ''
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

/** Starts a program that is expected to end by itself and returns how it ended and what it said. */
export async function runProgram(options: ProgramOptions): Promise<{ code: number | null; output: string }> {
  const child = launch(options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), options.readyMs ?? 60_000)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return { code, output }
}

/** What Node compiled of the programs, for their next start. `npm ci` removes it. */
const compileCache = join(repositoryRoot, 'node_modules/.cache/test-programs')

/** The environment of a test program: what it needs to run, and no setting of the person who runs the tests. */
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
    }, options.readyMs ?? 45_000)
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
