import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { DataError } from '../db/errors.ts'
import { createSecretFile } from './secret-file.ts'

const newLine = () => `${randomBytes(32).toString('base64')}\n`

export const keyFile = ({ cloudDir }: Pick<Config, 'cloudDir'>): string => join(cloudDir, 'chave')

/** The keys of the secret box, with the key in use first: VIGIA_CHAVE, else the key file; then VIGIA_CHAVE_ANTERIOR. */
export function secretKeys(
  config: Pick<Config, 'chave' | 'chavesAnteriores' | 'cloudDir'>,
): readonly [Buffer, ...Buffer[]] {
  const previous = config.chavesAnteriores.map((key) => Buffer.from(key.reveal(), 'base64'))
  if (config.chave) return [Buffer.from(config.chave.reveal(), 'base64'), ...previous]
  return [...loadOrCreateKeys(keyFile(config)), ...previous]
}

/**
 * The 32-byte keys in `file` (base64, one per line; mode 0600), created on first use. The first key is in use, the
 * others are earlier ones.
 * @throws DataError when the file has other content: a new key would make every stored password unreadable
 */
export function loadOrCreateKeys(file: string): readonly [Buffer, ...Buffer[]] {
  createSecretFile(file, newLine)
  return parseKeys(readFileSync(file, 'utf8'), file)
}

function parseKeys(text: string, file: string): readonly [Buffer, ...Buffer[]] {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const [first, ...rest] = lines.map((line) => Buffer.from(line, 'base64'))
  if (!first || [first, ...rest].some((key) => key.length !== 32))
    throw new DataError(
      `A chave em ${file} está danificada: cada linha deve ter 32 bytes em base64. Devolva o arquivo da cópia de ` +
        'segurança e inicie de novo. Sem ele, as senhas guardadas não abrem. Nada foi mudado.',
    )
  return [first, ...rest]
}

/**
 * Adds a new key before those in `file`, atomically: at every moment the file contains all keys of stored values. The
 * file keeps its owner, also when root runs this.
 * @throws Error when the key file is missing (ENOENT) or has other content. EEXIST (`<file>.nova`): another rotation is
 * running or was interrupted before any change
 */
export function prependKey(file: string): void {
  const draft = `${file}.nova`
  const owner = statSync(file)
  const handle = openSync(draft, 'wx', 0o600)
  try {
    try {
      // The file is read after the creation of `draft`, which excludes other writers.
      const text = readFileSync(file, 'utf8')
      parseKeys(text, file)
      writeSync(handle, `${newLine()}${text}`)
      fchownSync(handle, owner.uid, owner.gid)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(draft, file)
  } catch (error) {
    unlinkSync(draft)
    throw error
  }
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
