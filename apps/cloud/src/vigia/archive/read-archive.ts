import { type FileHandle, open } from 'node:fs/promises'
import { CommandError } from '../command.ts'
import { type ArchiveKeys, deriveKeys, isMac, MAC_BYTES, openChunk, TAG_BYTES } from './crypt.ts'
import {
  type ArchiveRecord,
  type Header,
  headerSchema,
  LAST_CHUNK,
  MAGIC,
  MAX_HEADER_BYTES,
  MAX_RECORD_BYTES,
  VERSION,
} from './format.ts'

export interface ArchiveReader {
  readonly header: Header
  /** Bytes of the file. */
  readonly size: number
  /**
   * @param onBytes called with the bytes of the file that were read
   * @throws CommandError at a damaged part
   */
  records(onBytes: (count: number) => void): AsyncIterable<ArchiveRecord>
  close(): Promise<void>
}

const HEAD_BYTES = 5

/**
 * Opens a backup. Checks the passphrase and that the file is complete, before anything of it is used.
 * @throws CommandError
 */
export async function openArchive(file: string, passphrase: string): Promise<ArchiveReader> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isMissing ? new CommandError(`Não há arquivo ${file}.`) : error
  })
  try {
    const { size } = await handle.stat()
    const { text, mac, start } = await readHead(handle, file)
    const header = parseHeader(text, file)
    const salt = Buffer.from(header.sal, 'base64')
    const keys = await deriveKeys(passphrase, salt, header.scrypt).catch(() => {
      throw damaged(file, 'cabeçalho')
    })
    if (!isMac(text, keys, mac))
      throw new CommandError(`A senha não abre ${file}, ou o começo do arquivo está danificado. Nada foi escrito.`)
    await requireComplete(handle, { file, start, size })
    return {
      header,
      size,
      records: (onBytes) => readRecords(readChunks({ handle, file, start, mac, keys }, onBytes), file),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function readHead(handle: FileHandle, file: string) {
  const first = await readAt(handle, 0, MAGIC.length + 4)
  if (first === null || !first.subarray(0, MAGIC.length).equals(MAGIC))
    throw new CommandError(`${file} não é uma cópia de segurança da Vigia.`)
  const length = first.readUInt32BE(MAGIC.length)
  const at = MAGIC.length + 4
  const rest = length > MAX_HEADER_BYTES ? null : await readAt(handle, at, length + MAC_BYTES)
  if (rest === null) throw damaged(file, 'cabeçalho')
  return { text: rest.subarray(0, length), mac: rest.subarray(length), start: at + rest.length }
}

function parseHeader(text: Buffer, file: string): Header {
  let parsed: unknown
  try {
    parsed = JSON.parse(text.toString())
  } catch {
    throw damaged(file, 'cabeçalho')
  }
  const header = headerSchema.safeParse(parsed)
  if (!header.success) throw damaged(file, 'cabeçalho')
  if (header.data.versao !== VERSION)
    throw new CommandError(
      `${file} tem o formato ${header.data.versao}, e este programa lê o formato ${VERSION}. Use a versão que a fez.`,
    )
  return header.data
}

/** Follows the lengths of the chunks, so that a file that was cut is refused before anything is written. */
async function requireComplete(
  handle: FileHandle,
  { file, start, size }: { readonly file: string; readonly start: number; readonly size: number },
): Promise<void> {
  for (let at = start; ; ) {
    const head = await readAt(handle, at, 4)
    if (head === null) throw new CommandError(`${file} está incompleto: falta o fim. Nada foi escrito.`)
    const value = head.readUInt32BE(0)
    at += 4 + (value & ~LAST_CHUNK) + TAG_BYTES
    if (value < LAST_CHUNK) continue
    if (at === size) return
    throw new CommandError(`${file} está incompleto ou tem algo depois do fim. Nada foi escrito.`)
  }
}

interface Chunks {
  readonly handle: FileHandle
  readonly file: string
  readonly start: number
  readonly mac: Buffer
  readonly keys: ArchiveKeys
}

async function* readChunks({ handle, file, start, mac, keys }: Chunks, onBytes: (count: number) => void) {
  let at = start
  for (let number = 0; ; number += 1) {
    const head = await readAt(handle, at, 4)
    const value = head?.readUInt32BE(0) ?? 0
    const isLast = value >= LAST_CHUNK
    const length = (value & ~LAST_CHUNK) + TAG_BYTES
    const sealed = head && length <= MAX_RECORD_BYTES ? await readAt(handle, at + 4, length) : null
    if (sealed === null) throw damaged(file, `byte ${at}`)
    let plain: Buffer
    try {
      plain = openChunk(sealed, { number, isLast, mac }, keys)
    } catch {
      throw damaged(file, `byte ${at}`)
    }
    at += 4 + length
    onBytes(4 + length)
    yield plain
    if (isLast) return
  }
}

async function* readRecords(chunks: AsyncIterable<Buffer>, file: string): AsyncIterable<ArchiveRecord> {
  let pending: Buffer[] = []
  let bytes = 0
  let wanted = HEAD_BYTES
  for await (const chunk of chunks) {
    pending.push(chunk)
    bytes += chunk.length
    if (bytes < wanted) continue
    let all = Buffer.concat(pending)
    wanted = HEAD_BYTES
    while (all.length >= HEAD_BYTES) {
      const length = all.readUInt32BE(1)
      if (length > MAX_RECORD_BYTES) throw damaged(file, 'registro')
      wanted = HEAD_BYTES + length
      if (all.length < wanted) break
      yield { type: all.readUInt8(0), body: all.subarray(HEAD_BYTES, wanted) }
      all = all.subarray(wanted)
      wanted = HEAD_BYTES
    }
    pending = [all]
    bytes = all.length
  }
  if (bytes > 0) throw damaged(file, 'fim')
}

/** null: the file ends before. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer | null> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return bytesRead === length ? buffer : null
}

const damaged = (file: string, where: string) => new CommandError(`${file} está danificado (${where}).`)
