import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LinkLog } from '@vigia/link/log'
import { decodeMessage } from '@vigia/link/messages'
import { ensurePrivateDir, replaceFile } from '@vigia/link/pki/files'
import { CERTIFICATES_TOPIC, parseTopic } from '@vigia/link/topics'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import { z } from 'zod'

/** One small file per message, so that a change of one edge does not rewrite the states of all others. */
const fileSchema = z.object({
  v: z.literal(1),
  topico: z.string(),
  /** SHA-256 of the content, hex, which detects damaged files. */
  sha256: z.string(),
  /** The payload, base64. */
  conteudo: z.base64(),
})

export interface StoredMessage {
  readonly topic: string
  readonly payload: Buffer
}

/** The last message of some topics, on disk. */
export interface StateFolder {
  /** Reads every readable state, also from a read-only disk. Sets damaged files aside and logs them. */
  load(): Promise<readonly StoredMessage[]>
  /**
   * Resolves when this payload, or a newer one of the same topic, is on disk (fsync). Consecutive payloads are written
   * once. Empty: forgotten. Never rejects. On a write error the older state is removed, because no state is better than
   * an outdated one, and the error is logged.
   */
  keep(topic: string, payload: Buffer): Promise<void>
  /** Sets the file of a topic aside: intact, but invalid. */
  putAside(topic: string): Promise<void>
  /** Resolves when no write is pending. */
  idle(): Promise<void>
}

const DAMAGED = '.danificado'

export function createStateFolder(dir: string, log: LinkLog): StateFolder {
  /**
   * SHA-256 of the stored payload by topic. It avoids rewrites, because the cloud republishes all states on connection.
   */
  const onDisk = new Map<string, string>()
  const wanted = new Map<string, Buffer>()
  const writers = new Map<string, Promise<void>>()

  /** The broker starts without its folder, because the cloud republishes every state on connection. */
  async function ifWritable(change: () => Promise<void>): Promise<void> {
    try {
      await change()
    } catch (err) {
      if (unwritableDisk(err) === null) throw err
      log.error({ err, pasta: dir }, 'state folder cannot be written')
    }
  }

  async function setAside(file: string): Promise<void> {
    log.error({ arquivo: join(dir, file) }, 'damaged state file set aside; starting without it')
    await rename(join(dir, file), join(dir, `${file}${DAMAGED}`))
  }

  async function read(file: string): Promise<StoredMessage | null> {
    const stored = decodeMessage(fileSchema, await readFile(join(dir, file)))
    if (stored === null) return null
    const payload = Buffer.from(stored.conteudo, 'base64')
    if (stored.sha256 !== sha256(payload) || fileOf(stored.topico) !== file) return null
    onDisk.set(stored.topico, stored.sha256)
    return { topic: stored.topico, payload }
  }

  async function write(topic: string, payload: Buffer): Promise<void> {
    const path = join(dir, fileOf(topic))
    const hash = sha256(payload)
    if (onDisk.get(topic) === hash) return
    onDisk.delete(topic)
    try {
      if (payload.length === 0) return await rm(path, { force: true })
      const conteudo = payload.toString('base64')
      await replaceFile(path, JSON.stringify({ v: 1, topico: topic, sha256: hash, conteudo }))
      onDisk.set(topic, hash)
    } catch (err) {
      log.error({ err, arquivo: path }, 'state not stored on disk')
      await rm(path, { force: true }).catch((reason: unknown) => log.error({ err: reason }, 'old state not removed'))
    }
  }

  async function writeLatest(topic: string): Promise<void> {
    for (let payload = wanted.get(topic); payload !== undefined; payload = wanted.get(topic)) {
      wanted.delete(topic)
      await write(topic, payload)
    }
    writers.delete(topic)
  }

  return {
    load: async () => {
      await ifWritable(() => ensurePrivateDir(dir))
      const found: StoredMessage[] = []
      for (const file of await readdir(dir)) {
        if (file.endsWith('.tmp')) await ifWritable(() => rm(join(dir, file), { force: true }))
        if (!file.endsWith('.json')) continue
        const message = await read(file)
        if (message === null) await ifWritable(() => setAside(file))
        else found.push(message)
      }
      return found
    },
    keep: (topic, payload) => {
      wanted.set(topic, payload)
      const writing = writers.get(topic) ?? writeLatest(topic)
      writers.set(topic, writing)
      return writing
    },
    putAside: (topic) => {
      onDisk.delete(topic)
      return setAside(fileOf(topic))
    },
    idle: async () => {
      while (writers.size > 0) await Promise.all(writers.values())
    },
  }
}

const sha256 = (payload: Buffer): string => createHash('sha256').update(payload).digest('hex')

/** `certificados.json`, `desejado-7.json`, … */
function fileOf(topic: string): string {
  if (topic === CERTIFICATES_TOPIC) return 'certificados.json'
  const target = parseTopic(topic)
  return target === null ? '' : `${target.name}-${target.edgeId}.json`
}
