import type { MinuteFiles } from './minute-files.ts'

/** The part of the disk that recordings may use. */
export interface DiskShare {
  readonly budgetBytes: number
  limit(budgetBytes: number): void
  /** Runs deletions one after another: two of them must not count the same bytes. */
  inTurn<T>(step: () => Promise<T>): Promise<T>
  /** Makes space for another file; false: the disk or the budget has none. */
  freeSpace(): Promise<boolean>
}

interface DiskShareOptions {
  readonly files: Pick<MinuteFiles, 'bytes' | 'bytesOf' | 'cameras' | 'removeOldest'>
  /** Free space to leave on the disk. */
  readonly reserveBytes: number
  /** null: unknown. */
  freeBytes(): number | null
}

export function createDiskShare({ files, reserveBytes, freeBytes }: DiskShareOptions): DiskShare {
  let budgetBytes = 0
  let deletion: Promise<unknown> = Promise.resolve()

  const isShort = () => {
    const free = freeBytes()
    return files.bytes > budgetBytes || (free !== null && free < reserveBytes)
  }

  /** The camera with the largest recordings gives way, so that each camera has an equal share of the disk. */
  const prune = async (): Promise<boolean> => {
    while (isShort()) {
      const [largest] = files.cameras().toSorted((a, b) => files.bytesOf(b) - files.bytesOf(a))
      if (largest === undefined || !(await files.removeOldest(largest))) return false
    }
    return true
  }

  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const done = deletion.then(step)
    deletion = done.catch(() => {})
    return done
  }

  return {
    get budgetBytes() {
      return budgetBytes
    },
    limit(bytes) {
      budgetBytes = bytes
    },
    inTurn,
    freeSpace: () => inTurn(prune),
  }
}
