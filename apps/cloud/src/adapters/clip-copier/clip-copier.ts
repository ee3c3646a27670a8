import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { boundChild, DECODING_CHILD_BYTES } from '@vigia/runtime/process-memory'

/** Outcome of the process. `sem_codificador`: its FFmpeg has no encoder for H.264. */
export type CopyResult = 'feita' | 'sem_codificador' | 'falhou'

/** Why there is no copy. `demorou`: it was not ready in time. */
type NoCopy = Exclude<CopyResult, 'feita'> | 'demorou'

export interface ClipCopier {
  /**
   * A small H.264 copy of an MP4, or why there is none. A file that makes the decoder crash or take too much memory
   * gives `falhou`, and one that makes it hang `demorou`.
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
    async copy(video, timeoutMs, signal) {
      cleared ??= clear(dir)
      await cleared
      const own = await mkdtemp(join(dir, 'copia-'))
      const [input, output] = [join(own, 'clipe.mp4'), join(own, 'copia.mp4')]
      try {
        await pipeline(video, createWriteStream(input), { signal })
        const result = await run([input, output], timeoutMs, signal)
        return result === 'feita' ? await readFile(output) : result
      } finally {
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

async function run(args: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<'feita' | NoCopy> {
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
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeoutMs)
  signal.addEventListener('abort', kill, { once: true })
  try {
    const result = await ended(child)
    signal.throwIfAborted()
    return isLate && result !== 'feita' ? 'demorou' : result
  } finally {
    clearTimeout(timer)
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
