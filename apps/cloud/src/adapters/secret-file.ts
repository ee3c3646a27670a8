import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates `file` (0600, folder 0700) with `content()` unless it exists. The creation is atomic, also with a power cut
 * or a concurrent process. Returns whether this call created it.
 */
export function createSecretFile(file: string, content: () => string): boolean {
  if (existsSync(file)) return false
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeSync(handle, content())
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(draft)
  }
}
