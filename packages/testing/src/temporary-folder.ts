import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Largest amount of data that the tests of all workers hold at the same time. Docker's default of 64 MiB for /dev/shm
 * is too small.
 */
const NEEDED_BYTES = 3 * 1024 ** 3

/** /dev/shm if it exists and has enough space, else the temporary folder of the system. */
const memoryDir = hasSpace('/dev/shm') ? '/dev/shm' : tmpdir()

const made = new Set<string>()
// A test that fails before its clean-up would otherwise hold memory until the next boot.
process.once('exit', () => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true })
})

/**
 * Creates an empty folder in memory, where a sync costs no time. The caller removes it; the exit of the process removes
 * the rest.
 */
export function temporaryFolder(prefix: string): string {
  const dir = mkdtempSync(join(memoryDir, prefix))
  made.add(dir)
  return dir
}

/** Creates an empty folder on the disk, for tests of the disk and for executables (/dev/shm may be `noexec`). */
export const temporaryDiskFolder = (prefix: string): string => mkdtempSync(join(tmpdir(), prefix))

function hasSpace(dir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}
