import { renameSync, writeFileSync } from 'node:fs'

/** Replaces a file by rename, so that another process never reads a part of it. Synchronous: writers cannot overlap. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.novo`, text)
  renameSync(`${file}.novo`, file)
}
