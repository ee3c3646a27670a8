import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, statfsSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Disk for packets beyond the memory of rings, shared by the cameras of a process. */
export interface SpillSpace {
  /** Whether another `bytes` fit, with the reserve of the disk. */
  hasSpace(bytes: number): boolean
  /** null: no space, or the disk fails. */
  open(): SpillFile | null
  readonly bytes: number
}

/** Packets of one group. The file is freed when all its users have released it. */
export interface SpillFile {
  /** Returns a function that reads the data again; null: no space, or the disk fails. */
  write(data: Buffer): (() => Buffer) | null
  /** One more user. */
  hold(): void
  release(): void
}

export interface SpillOptions {
  readonly folder: string
  readonly maxBytes: number
  /** Free space that stays on the disk. */
  readonly reserveBytes: number
  /** The disk fails: called for the first failure, and again only after it has worked in between. */
  readonly failed?: (error: unknown) => void
}

export function createSpillSpace({ folder, maxBytes, reserveBytes, failed = () => {} }: SpillOptions): SpillSpace {
  let used = 0
  let isFailing = false

  function report(error: unknown): void {
    if (!isFailing) failed(error)
    isFailing = true
  }

  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    report(error)
  }

  function hasSpace(bytes: number): boolean {
    if (used + bytes > maxBytes) return false
    try {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize - bytes >= reserveBytes
    } catch (error) {
      report(error)
      return false
    }
  }

  function fileOf(fd: number): SpillFile {
    let users = 1
    let length = 0
    return {
      write(data) {
        if (users === 0 || !hasSpace(data.length)) return null
        const at = length
        try {
          for (let done = 0; done < data.length; ) done += writeSync(fd, data, done, data.length - done, at + done)
        } catch (error) {
          report(error)
          return null
        }
        isFailing = false
        length += data.length
        used += data.length
        return () => readAll(fd, at, data.length)
      },
      hold() {
        users++
      },
      release() {
        users--
        if (users > 0) return
        used -= length
        closeSync(fd)
      },
    }
  }

  return {
    hasSpace,
    open() {
      const path = join(folder, `${randomUUID()}.anel`)
      try {
        const fd = openSync(path, 'wx+', 0o600)
        // Without a name it is gone with the process, however that ends.
        unlinkSync(path)
        return fileOf(fd)
      } catch (error) {
        report(error)
        return null
      }
    },
    get bytes() {
      return used
    },
  }
}

function readAll(fd: number, at: number, length: number): Buffer {
  const data = Buffer.allocUnsafeSlow(length)
  for (let done = 0; done < length; ) {
    const read = readSync(fd, data, done, length - done, at + done)
    if (read === 0) throw new Error('a spilled packet is incomplete')
    done += read
  }
  return data
}
