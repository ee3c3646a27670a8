import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A tmpfs of a few MiB that only a mount namespace of its own sees, so that neither root nor the machine's mount table is needed. A
 * program lives on it when it is started with `execPath`.
 */
export interface IsolatedDisk {
  /** The mount point, as the programs see it. */
  readonly dir: string
  /** The same folder, as this process sees it. SQLite cannot open files through it: it resolves links by itself. */
  readonly outside: string
  /** For `fork`: Node inside the namespace. */
  readonly execPath: string
  freeBytes(): number
  /** Leaves no free page. */
  fill(): void
  /** Gives back what `fill` took. */
  free(): void
  close(): void
}

/** One id of the caller is mapped to root of the namespace, which may then mount. */
const NAMESPACE = ['--user', '--map-root-user', '--mount']
const PAGE_BYTES = 4_096
const HOLD = 'mount -t tmpfs -o "size=$2" tmpfs "$1" && echo mounted && exec sleep infinity'

/** null, with a line on standard error: namespaces are not permitted here. */
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

/** null, or why nothing was mounted. */
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
