import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { boundChild, DECODING_CHILD_BYTES } from '@vigia/runtime/process-memory'
import { hasVideoPackage } from '@vigia/video/video-package'

/** Outcome of the process. `sem_codificador`: its FFmpeg has no encoder for H.264. */
export type CopyResult = 'feita' | 'sem_codificador' | 'falhou'

/** Why there is no copy. `demorou`: it was not ready in time. */
type NoCopy = Exclude<CopyResult, 'feita'> | 'demorou'

export interface ClipCopier {
  /** Whether the package that decodes video is installed. Without it there is no copy yet. */
  isReady(): boolean
  /**
   * A small H.264 copy of an MP4, or why there is none. A file that makes the decoder crash or take too much memory
   * gives `falhou`, and one that makes it hang or arrives too slowly `demorou`.
   * @param timeoutMs for the file and its copy together
   * @throws Error if a file cannot be written, or `signal` aborts
   */
  copy(video: AsyncIterable<Uint8Array>, timeoutMs: number, signal: AbortSignal): Promise<Buffer | NoCopy>
}

interface ClipCopierOptions {
  /** Folder of the unfinished files, used by nobody else. */
  readonly dir: string
}

const program = fileURLToPath(new URL('main.ts', import.meta.url))

/** Makes copies in a child process, so that neither the work nor a crash of the decoder affects the cloud. */
export function createClipCopier({ dir }: ClipCopierOptions): ClipCopier {
  let cleared: Promise<void> | null = null
  return {
    isReady: hasVideoPackage,
    async copy(video, timeoutMs, signal) {
      cleared ??= clear(dir)
      await cleared
      const own = await mkdtemp(join(dir, 'copia-'))
      const [input, output] = [join(own, 'clipe.mp4'), join(own, 'copia.mp4')]
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), timeoutMs)
      try {
        const ending = AbortSignal.any([signal, late.signal])
        await store(video, input, ending)
        const result = await run([input, output], ending)
        signal.throwIfAborted()
        if (result === 'feita') return await readFile(output)
        return late.signal.aborted ? 'demorou' : result
      } catch (error) {
        signal.throwIfAborted()
        if (late.signal.aborted) return 'demorou'
        throw error
      } finally {
        clearTimeout(timer)
        await rm(own, { recursive: true, force: true })
      }
    },
  }
}

/** Removes what a former process left. */
async function clear(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true })
}

/** Writes the clip into a file. A source that sends nothing holds up the end of its stream, so nothing waits for it. */
async function store(video: AsyncIterable<Uint8Array>, file: string, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([pipeline(video, createWriteStream(file), { signal }), aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function run(args: readonly string[], signal: AbortSignal): Promise<CopyResult> {
  signal.throwIfAborted()
  // The complete environment of the process, because settings of the cloud hold secrets.
  const child = fork(program, args, {
    env: { PATH: process.env.PATH ?? '' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // `ended` reports the end as a failure.
  boundChild(child, DECODING_CHILD_BYTES, () => {})
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  try {
    return await ended(child)
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

/** Resolves when the process has ended, so that it writes no more. */
const ended = (child: ChildProcess): Promise<CopyResult> =>
  new Promise((resolve, reject) => {
    let result: CopyResult = 'falhou'
    child.on('message', (message) => {
      if (message === 'feita' || message === 'sem_codificador') result = message
    })
    child.once('error', reject)
    child.once('exit', () => resolve(result))
  })
