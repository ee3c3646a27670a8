import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { partialName } from '../archive/write-archive.ts'

const DAY_MS = 86_400_000
/** A backup in a folder has the name of its day. */
const NAMED = /^vigia-\d{4}-\d\d-\d\d\.copia$/

/** The file of a backup: `place`, or the name of the day in the folder `place`. */
export function archiveName(place: string, now: number): string {
  const path = resolve(place)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  return join(path, `vigia-${new Date(now).toISOString().slice(0, 10)}.copia`)
}

/** Deletes what killed backups of other days left, so that a daily backup does not fill the disk. */
export function removeLeftovers(file: string, now: number): void {
  const folder = dirname(file)
  if (!NAMED.test(basename(file))) return
  for (const name of readdirSync(folder)) {
    const left = name.endsWith(partialName('')) && NAMED.test(name.slice(0, -partialName('').length))
    if (left && statSync(join(folder, name)).mtimeMs < now - DAY_MS) rmSync(join(folder, name))
  }
}
