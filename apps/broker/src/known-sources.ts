import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LinkLog } from '@vigia/link/log'
import { decodeMessage } from '@vigia/link/messages'
import { ensurePrivateDir, replaceFile } from '@vigia/link/pki/files'
import { z } from 'zod'

/** Sources (source-of.ts) with an admitted certificate in the last seven days. */
export interface KnownSources {
  has(source: string): boolean
  /**
   * Records that the holder of this certificate was admitted from this source. Call the result when the connection has
   * ended.
   */
  admitted(source: string, name: string): () => void
  /** Reads the sources of an earlier broker process. Never rejects. */
  start(): Promise<void>
  /** Writes unsaved changes. */
  stop(): Promise<void>
}

export interface KnownSourcesOptions {
  /** Without it the sources are lost at a restart. */
  readonly dir?: string | undefined
  readonly log: LinkLog
  /** Epoch ms. */
  readonly clock?: () => number
}

/** Not `.json`: an earlier release treats each such file of the folder as a message and sets it aside as damaged. */
const FILE = 'origens-conhecidas.v1'
const KNOWN_MS = 7 * 86_400_000
/** Age of the stored time below which a source is not written again. */
const REFRESH_MS = 3_600_000
const WRITE_DELAY_MS = 2_000
const MAX_SOURCES = 8192
/** The holder of one certificate that changes networks must not displace the sources of others. */
const MAX_SOURCES_PER_NAME = 8

const fileSchema = z.object({
  v: z.literal(1),
  origens: z.array(z.object({ origem: z.string().max(64), nome: z.string().max(64), vista_em: z.number() })),
})

interface Known {
  readonly name: string
  seenAt: number
  /** Number of admitted connections from this source. */
  open: number
}

export function createKnownSources({ dir, log, clock = Date.now }: KnownSourcesOptions): KnownSources {
  /** Sources by their last admission, oldest first. */
  const known = new Map<string, Known>()
  /** By the last admitted certificate name of the source, in the same order. */
  const sourcesOf = new Map<string, Set<string>>()
  let isDirty = false
  let writing = Promise.resolve()
  let writeTimer: NodeJS.Timeout | null = null
  let refreshTimer: NodeJS.Timeout | undefined

  // A time in the future counts as recent: a machine without a clock battery starts in the past.
  const isFresh = ({ seenAt, open }: Known) => open > 0 || clock() - seenAt < KNOWN_MS

  function put(source: string, entry: Known): void {
    remove(source)
    known.set(source, entry)
    sourcesOf.set(entry.name, (sourcesOf.get(entry.name) ?? new Set()).add(source))
  }

  function remove(source: string): void {
    const name = known.get(source)?.name
    if (name === undefined) return
    known.delete(source)
    const own = sourcesOf.get(name)
    own?.delete(source)
    if (own?.size === 0) sourcesOf.delete(name)
  }

  function removeOldest(sources: Iterable<string>): void {
    for (const source of sources) {
      if (known.get(source)?.open !== 0) continue
      remove(source)
      return
    }
  }

  async function write(dirToWrite: string): Promise<void> {
    if (!isDirty) return
    isDirty = false
    for (const [source, entry] of known) if (!isFresh(entry)) remove(source)
    const origens = [...known].map(([origem, { name, seenAt, open }]) => ({
      origem,
      nome: name,
      vista_em: open > 0 ? clock() : seenAt,
    }))
    await replaceFile(join(dirToWrite, FILE), JSON.stringify({ v: 1, origens })).catch((err: unknown) =>
      log.error({ err, arquivo: join(dirToWrite, FILE) }, 'known addresses not kept on disk'),
    )
  }

  function flush(): void {
    if (writeTimer !== null) clearTimeout(writeTimer)
    writeTimer = null
    if (dir !== undefined) writing = writing.then(() => write(dir))
  }

  function schedule(): void {
    isDirty = true
    writeTimer ??= setTimeout(flush, WRITE_DELAY_MS).unref()
  }

  return {
    has: (source) => {
      const entry = known.get(source)
      return entry !== undefined && isFresh(entry)
    },
    admitted: (source, name) => {
      const before = known.get(source)
      const seenAt = clock()
      put(source, { name, seenAt, open: (before?.open ?? 0) + 1 })
      const own = sourcesOf.get(name) ?? new Set()
      if (own.size > MAX_SOURCES_PER_NAME) removeOldest(own)
      if (known.size > MAX_SOURCES) removeOldest(known.keys())
      if (before === undefined || Math.abs(seenAt - before.seenAt) > REFRESH_MS) schedule()
      return () => {
        const now = known.get(source)
        if (now === undefined) return
        now.open -= 1
        now.seenAt = clock()
      }
    },
    start: async () => {
      if (dir === undefined) return
      refreshTimer = setInterval(schedule, REFRESH_MS).unref()
      try {
        await ensurePrivateDir(dir)
        const stored = decodeMessage(fileSchema, await readFile(join(dir, FILE)))
        if (stored === null) return log.error({ arquivo: join(dir, FILE) }, 'damaged file of known addresses ignored')
        for (const { origem, nome, vista_em } of stored.origens.slice(-MAX_SOURCES))
          put(origem, { name: nome, seenAt: vista_em, open: 0 })
      } catch (err) {
        if ((err as NodeJS.ErrnoException).code !== 'ENOENT')
          log.error({ err, arquivo: join(dir, FILE) }, 'known addresses unreadable')
      }
    },
    stop: async () => {
      clearInterval(refreshTimer)
      isDirty = true
      flush()
      await writing
    },
  }
}
