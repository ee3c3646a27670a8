import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { boundChild, DECODING_CHILD_BYTES } from '@vigia/runtime/process-memory'

/** Outcome of the process. `sem_codificador`: its FFmpeg has no encoder for H.264. */
export type CopyResult = 'feita' | 'sem_codificador' | 'falhou'

export interface ClipCopier {
  /**
   * A small H.264 copy of an MP4, or why there is none. A file that makes the decoder crash, hang or take too much
   * memory gives `falhou`.
   * @throws Error if a file cannot be written, or `signal` aborts
   */
  copy(video: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Buffer | Exclude<CopyResult, 'feita'>>
}

interface ClipCopierOptions {
  /** Folder of the unfinished files, used by nobody else. */
  readonly dir: string
  readonly timeoutMs: number
}

const program = fileURLToPath(new URL('main.ts', import.meta.url))

/** Makes copies in a child process, so that neither the work nor a crash of the decoder affects the cloud. */
export function createClipCopier({ dir, timeoutMs }: ClipCopierOptions): ClipCopier {
  let cleared: Promise<void> | null = null
  return {
    async copy(video, signal) {
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

async function run(args: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<CopyResult> {
  signal.throwIfAborted()
  // The complete environment of the process, because settings of the cloud hold secrets.
  const child = fork(program, args, {
    ...{ env: { PATH: process.env.PATH ?? '' }, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  })
  // `ended` reports the end as a failure.
  boundChild(child, DECODING_CHILD_BYTES, () => {})
  const kill = () => void child.kill('SIGKILL')
  const timer = setTimeout(kill, timeoutMs)
  signal.addEventListener('abort', kill, { once: true })
  try {
    const result = await ended(child)
    signal.throwIfAborted()
    return result
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
