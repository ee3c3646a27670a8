import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecretFile } from './secret-file.ts'

/**
 * The 32-byte key in `file` (base64, 0600), made on first use.
 * @throws Error when the file holds something else: a new key would make every stored password unreadable.
 */
export function loadOrCreateKey(file: string): Buffer {
  createSecretFile(file, () => `${randomBytes(32).toString('base64')}\n`)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32) throw new Error(`${file} does not hold a 32-byte key in base64`)
  return key
}
