import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { COST, deriveKeys, macOf, newSalt, type ScryptCost, sealChunk } from './crypt.ts'
import { CHUNK_BYTES, type Header, LAST_CHUNK, MAGIC, VERSION } from './format.ts'

export interface ArchiveWriter {
  write(type: number, body: Buffer): Promise<void>
  writeJson(type: number, value: unknown): Promise<void>
  /** Writes the last chunk and gives the file its name; durable (survives a power cut) once it resolves. */
  finish(): Promise<void>
  /** Closes the file; without `finish` it keeps its other name. */
  close(): Promise<void>
}

/** The file has this name until it is complete. The next backup to the same name replaces it. */
export const partialName = (file: string): string => `${file}.parcial`

/** @param cost of the key, which the file names for its reader; a lower one than the default is for tests */
export async function createArchive(
  file: string,
  passphrase: string,
  now: number,
  cost: ScryptCost = COST,
): Promise<ArchiveWriter> {
  const salt = newSalt()
  const keys = await deriveKeys(passphrase, salt, cost)
  const header: Header = {
    versao: VERSION,
    id: randomUUID(),
    criada_em: new Date(now).toISOString(),
    scrypt: cost,
    sal: salt.toString('base64'),
  }
  const text = Buffer.from(JSON.stringify(header))
  const mac = macOf(text, keys)
  const handle = await open(partialName(file), 'w', 0o600)
  let pending: Buffer[] = []
  let pendingBytes = 0
  let number = 0
  let isOpen = true

  async function writeChunk(plain: Buffer, isLast: boolean): Promise<void> {
    const sealed = sealChunk(plain, { number, isLast, mac }, keys)
    number += 1
    const length = Buffer.alloc(4)
    length.writeUInt32BE((plain.length | (isLast ? LAST_CHUNK : 0)) >>> 0)
    await handle.write(Buffer.concat([length, sealed]))
  }

  async function flush(): Promise<void> {
    let all = Buffer.concat(pending)
    for (; all.length >= CHUNK_BYTES; all = all.subarray(CHUNK_BYTES))
      await writeChunk(all.subarray(0, CHUNK_BYTES), false)
    pending = [all]
    pendingBytes = all.length
  }

  async function write(type: number, body: Buffer): Promise<void> {
    const head = Buffer.alloc(5)
    head.writeUInt8(type, 0)
    head.writeUInt32BE(body.length, 1)
    pending.push(head, body)
    pendingBytes += head.length + body.length
    if (pendingBytes >= CHUNK_BYTES) await flush()
  }

  const headLength = Buffer.alloc(4)
  headLength.writeUInt32BE(text.length)
  await handle.write(Buffer.concat([MAGIC, headLength, text, mac]))
  return {
    write,
    writeJson: (type, value) => write(type, Buffer.from(JSON.stringify(value))),
    async finish() {
      await flush()
      await writeChunk(Buffer.concat(pending), true)
      await handle.sync()
      await handle.close()
      isOpen = false
      await rename(partialName(file), file)
      const folder = await open(dirname(file), 'r')
      await folder.sync()
      await folder.close()
    },
    async close() {
      if (isOpen) await handle.close()
      isOpen = false
    },
  }
}
