import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'

/**
 * Identifies a SQLite file and its state: the service changes it at each start. A second run therefore continues the
 * move of the same data only.
 */
export function sourceIdentity(file: string): string {
  const states = [file, `${file}-wal`].map((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    // Reading creates an empty log.
    return found === undefined || found.size === 0 ? '' : `${found.size} ${found.mtimeMs}`
  })
  return createHash('sha256')
    .update(`${realpathSync(file)} ${states.join()}`)
    .digest('hex')
}
