import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const run = (program: string, args: readonly string[]): void => {
  execFileSync(program, args, { stdio: 'pipe' })
}

/**
 * A real file system of a few MiB that can be filled, emptied and made read-only. It requires Linux and root, otherwise
 * tests are skipped.
 */
export interface SmallDisk {
  readonly dir: string
  freeBytes(): number
  /** Fills all free space except `leave` bytes. */
  fill(leave?: number): void
  free(): void
  /** Fails while a process holds a file open for writing. */
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

/** Number of attempts to shrink a file system to its content: a program may write between two attempts. */
const SHRINK_TRIES = 20

/** Shrinks a tmpfs to its content, so that no byte is free, without using memory. @param resize false: refused */
export function shrinkToContent(dir: string, resize: (bytes: number) => boolean): void {
  for (let tries = SHRINK_TRIES; tries > 0; tries -= 1) {
    const { blocks, bfree, bsize } = statfsSync(dir)
    if (resize((blocks - bfree) * bsize)) return
  }
  throw new Error('the disk was not filled')
}

/** Whether this process may mount; writes a line to standard error if not. */
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
 * Mounts an ext4 file system on a loop device. `readOnly(true)` acts like the kernel at a device failure: immediately,
 * also with files open for writing. `readOnly(false)` mounts it again, so that no file may be open.
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

/** Like `canMount`, for a loop device with ext4. */
export const canMountExt4 = (): boolean => canUse(() => mountExt4Disk(4))
