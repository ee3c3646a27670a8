import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A tmpfs of a few MiB in its own mount namespace. It requires neither root nor a change of the machine's mount table.
 * A program runs inside the namespace if it is started with `execPath`.
 */
export interface IsolatedDisk {
  /** The mount point inside the namespace. */
  readonly dir: string
  /**
   * Path of the same folder for this process. SQLite cannot open files through it, because SQLite resolves links
   * itself.
   */
  readonly outside: string
  /** Node inside the namespace, for `fork`. */
  readonly execPath: string
  freeBytes(): number
  /** Fills all free pages. */
  fill(): void
  /** Frees the space that `fill` took. */
  free(): void
  close(): void
}

/** Maps the caller to root of the namespace, because only root may mount. */
const NAMESPACE = ['--user', '--map-root-user', '--mount']
const PAGE_BYTES = 4_096
const HOLD = 'mount -t tmpfs -o "size=$2" tmpfs "$1" && echo mounted && exec sleep infinity'

/** Returns null and writes a line to standard error if namespaces are not allowed. */
export async function startIsolatedDisk(sizeMiB: number): Promise<IsolatedDisk | null> {
  const base = mkdtempSync(join(tmpdir(), 'vigia-namespace-'))
  const dir = mkdtempSync(join(tmpdir(), 'vigia-disk-'))
  const size = sizeMiB * 1024 * 1024
  const holder = spawn('unshare', [...NAMESPACE, 'sh', '-c', HOLD, 'sh', dir, String(size)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const close = () => {
    holder.kill('SIGKILL')
    for (const folder of [base, dir]) rmSync(folder, { recursive: true, force: true })
  }
  const problem = await mounted(holder)
  if (problem !== null) {
    close()
    process.stderr.write(`a disk in a namespace of its own cannot be had here: ${problem}\n`)
    return null
  }

  const enter = ['--preserve-credentials', '--user', '--mount', '--target', String(holder.pid)]
  const execPath = join(base, 'node')
  writeFileSync(execPath, `#!/bin/sh\nexec nsenter ${enter.join(' ')} '${process.execPath}' "$@"\n`)
  chmodSync(execPath, 0o755)
  const outside = `/proc/${holder.pid}/root${dir}`
  return {
    dir,
    outside,
    execPath,
    freeBytes() {
      const { bavail, bsize } = statfsSync(outside)
      return bavail * bsize
    },
    fill() {
      takeAllSpace(join(outside, 'ocupado'))
    },
    free() {
      rmSync(join(outside, 'ocupado'), { force: true })
    },
    close,
  }
}

function takeAllSpace(file: string): void {
  const descriptor = openSync(file, 'a')
  try {
    for (let block = Buffer.alloc(1024 * 1024); block.length >= PAGE_BYTES; ) {
      try {
        writeSync(descriptor, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        block = block.subarray(0, block.length / 2)
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Returns null, or the reason for a failed mount. */
const mounted = (holder: ChildProcess): Promise<string | null> =>
  new Promise((resolve) => {
    let complaint = ''
    holder.stderr?.on('data', (chunk) => {
      complaint += chunk
    })
    holder.stdout?.once('data', () => resolve(null))
    holder.once('error', (error) => resolve(error.message))
    holder.once('close', () => resolve(complaint.trim() || 'unshare ended'))
  })
