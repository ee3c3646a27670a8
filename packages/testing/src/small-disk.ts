import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const run = (program: string, args: readonly string[]): void => {
  execFileSync(program, args, { stdio: 'pipe' })
}

/** A real file system of a few MiB that can be filled, emptied and made read-only. Linux, and root, or a test is skipped. */
export interface SmallDisk {
  readonly dir: string
  freeBytes(): number
  /** Takes all free space but `leave` bytes. */
  fill(leave?: number): void
  free(): void
  /** Fails while somebody holds a file open for writing, as everywhere. */
  readOnly(isReadOnly: boolean): void
  unmount(): void
}

export function mountSmallDisk(sizeMiB = 4): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'vigia-disk-'))
  try {
    run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', dir])
  } catch (error) {
    rmdirSync(dir)
    throw error
  }
  return {
    ...ballastOn(dir),
    readOnly: (isReadOnly) => run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, dir]),
    unmount() {
      run('umount', ['-l', dir])
      rmdirSync(dir)
    },
  }
}

function ballastOn(dir: string): Pick<SmallDisk, 'dir' | 'freeBytes' | 'fill' | 'free'> {
  const ballast = join(dir, 'ballast')
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize
  }
  return {
    dir,
    freeBytes,
    fill(leave = 0) {
      writeFileSync(ballast, '')
      writeFileSync(ballast, Buffer.alloc(Math.max(0, freeBytes() - leave)))
    },
    free: () => rmSync(ballast, { force: true }),
  }
}

/** What was tried before a file system was as small as what it holds: a program may write in between. */
const SHRINK_TRIES = 20

/** Leaves no free byte on a tmpfs, whatever its size, and takes no memory for it. @param resize false: refused */
export function shrinkToContent(dir: string, resize: (bytes: number) => boolean): void {
  for (let tries = SHRINK_TRIES; tries > 0; tries -= 1) {
    const { blocks, bfree, bsize } = statfsSync(dir)
    if (resize((blocks - bfree) * bsize)) return
  }
  throw new Error('the disk was not filled')
}

/** Whether this process may mount at all; says so when it may not. */
export const canMount = (): boolean => canUse(() => mountSmallDisk(1))

function canUse(mount: () => SmallDisk): boolean {
  try {
    mount().unmount()
    return true
  } catch (error) {
    process.stderr.write(`tests with a disk of their own are skipped: ${(error as Error).message.split('\n')[0]}\n`)
    return false
  }
}

/**
 * A real ext4 file system on a loop device. `readOnly(true)` is what the kernel itself does when the device fails: at once, with
 * files open for writing. `readOnly(false)` mounts it anew, so nothing may be open.
 */
export function mountExt4Disk(sizeMiB = 16): SmallDisk {
  const image = join(mkdtempSync(join(tmpdir(), 'vigia-image-')), 'disk.img')
  const dir = mkdtempSync(join(tmpdir(), 'vigia-disk-'))
  const mount = () => run('mount', ['-o', 'loop', image, dir])
  const discard = () => {
    rmdirSync(dir)
    rmSync(dirname(image), { recursive: true, force: true })
  }
  try {
    writeFileSync(image, Buffer.alloc(sizeMiB * 1024 * 1024))
    run('mkfs.ext4', ['-q', '-m', '0', image])
    mount()
  } catch (error) {
    discard()
    throw error
  }
  return {
    ...ballastOn(dir),
    readOnly(isReadOnly) {
      if (isReadOnly) run('mount', ['-o', 'remount,abort', dir])
      else {
        run('umount', [dir])
        mount()
      }
    },
    unmount() {
      run('umount', [dir])
      discard()
    },
  }
}

/** As `canMount`, for a loop device with ext4. */
export const canMountExt4 = (): boolean => canUse(() => mountExt4Disk(4))
