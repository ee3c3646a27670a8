import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'

/**
 * A file that reserves disk space for later release. On a full disk SQLite can neither open a database nor delete rows,
 * because a transaction is written before it takes effect.
 */
export interface Ballast {
  /** Reserves the space if the disk has enough free space. `freeBytes`: free space now; null: unknown. */
  hold(freeBytes: number | null): void
  /** Releases the space; false: no space was reserved. */
  drop(): boolean
}

/** Twice the size at which SQLite checkpoints its write-ahead log. */
const BALLAST_BYTES = 8 * 1024 * 1024
const PLENTY_BYTES = 4 * BALLAST_BYTES

/** The ballast is next to the database `file`, so that both are on one disk. */
export function createBallast(file: string): Ballast {
  const path = `${file}-lastro`
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    hold(freeBytes) {
      if (freeBytes === null || freeBytes < PLENTY_BYTES || size() === BALLAST_BYTES) return
      const descriptor = openSync(path, 'w', 0o600)
      try {
        // The bytes are written, because a sparse file reserves no space.
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
