import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The most that the tests of several workers hold at a time. Docker gives /dev/shm 64 MiB, which is too little. */
const NEEDED_BYTES = 3 * 1024 ** 3

/** The folder that Linux keeps in memory; that of the system where there is none, or where it is small. */
const memoryDir = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()

const made = new Set<string>()
// A test that fails before its clean-up would keep its memory until the next start of the machine.
process.once('exit', () => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true })
})

/** A new empty folder in memory: a sync costs nothing there. The caller removes it; at the latest the end of the process does. */
export function temporaryFolder(prefix: string): string {
  const dir = mkdtempSync(join(memoryDir, prefix))
  made.add(dir)
  return dir
}

/** A new empty folder on the disk: for a test of the disk, and for programs to execute (/dev/shm may be `noexec`). */
export const temporaryDiskFolder = (prefix: string): string => mkdtempSync(join(tmpdir(), prefix))

function hasRoom(dir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}
