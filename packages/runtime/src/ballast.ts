import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'

/**
 * A file that takes space, so that the space can be released. On a disk without a free byte SQLite can neither open nor remove
 * anything: a transaction has to be written before it takes effect.
 */
export interface Ballast {
  /** Takes the space when it is not taken and the disk has plenty. `freeBytes`: free space now; null: can not be told. */
  hold(freeBytes: number | null): void
  /** False: there was none. */
  drop(): boolean
}

/** What a write-ahead log holds before it is carried over, twice. */
const BALLAST_BYTES = 8 * 1024 * 1024
const PLENTY_BYTES = 4 * BALLAST_BYTES

/** The file is the database's neighbour, or it would be on another disk. */
export function createBallast(file: string): Ballast {
  const path = `${file}-lastro`
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    hold(freeBytes) {
      if (freeBytes === null || freeBytes < PLENTY_BYTES || size() === BALLAST_BYTES) return
      const descriptor = openSync(path, 'w', 0o600)
      try {
        // Written, not only made as long as that: a file with holes takes no space.
        const block = Buffer.alloc(1024 * 1024)
        for (let at = 0; at < BALLAST_BYTES; at += block.length) writeSync(descriptor, block, 0, block.length, at)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    },
    drop() {
      const held = size() > 0
      rmSync(path, { force: true })
      return held
    },
  }
}
