import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSecretFile } from '../../adapters/secret-file.ts'

/** Name of the file in the folder of the cloud that holds the id of a backup while its restore is unfinished. */
const RESTORE_MARK = 'restaurando'

const markOf = (cloudDir: string): string => join(cloudDir, RESTORE_MARK)

/** Id of the backup whose restore is unfinished; null: none. */
export const readMark = (cloudDir: string): string | null =>
  existsSync(markOf(cloudDir)) ? readFileSync(markOf(cloudDir), 'utf8').trim() : null

export function writeMark(cloudDir: string, id: string): void {
  mkdirSync(cloudDir, { recursive: true, mode: 0o700 })
  createSecretFile(markOf(cloudDir), () => `${id}\n`)
}

export const removeMark = (cloudDir: string): void => rmSync(markOf(cloudDir), { force: true })
