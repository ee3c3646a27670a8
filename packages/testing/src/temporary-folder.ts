import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The most that the tests of several workers hold at a time. Docker gives /dev/shm 64 MiB, which is too little. */
const NEEDED_BYTES = 3 * 1024 ** 3

/** The folder that Linux keeps in memory; that of the system where there is none, or where it is small. */
export const memoryDir: string = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()

/** A new empty folder in memory: a sync costs nothing there. The caller removes it. */
export const temporaryFolder = (prefix: string): string => mkdtempSync(join(memoryDir, prefix))

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
