import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from 'pino'
import { belowCloud } from '../link/cloud-address.ts'
import type { UploadRate } from '../outbox/upload-rate.ts'
import type { ClipFiles } from './clip-files.ts'
import type { ClipStore, ClipUpload, StoredClip } from './clip-store.ts'
import { sendByTus } from './tus-client.ts'

/** Sends the requested clips to the cloud, one at a time, the newest first. */
export interface ClipUploader {
  /** Queues a clip; another order for it replaces the earlier one. false: the edge does not hold the clip. */
  order(id: string, upload: Omit<ClipUpload, 'location'>): boolean
  start(): void
  /** Ends the upload in progress; the next start resumes it. */
  stop(): Promise<void>
}

export interface ClipUploaderOptions {
  readonly store: Pick<ClipStore, 'find' | 'want' | 'nextUpload' | 'setLocation' | 'endUpload'>
  readonly files: Pick<ClipFiles, 'pathOf'>
  readonly cloudUrl: string
  readonly log: Logger
  /** Rate and size of the backlog, which also apply to clips. */
  readonly rate: UploadRate
  /** Whether a chunk may be sent: no event waits for the line, or clips are due. */
  hasTurn(): boolean
  /** Called after each chunk. */
  onChunk?(): void
  /** Called when the cloud has stored a clip, or has removed it. */
  onSettled(id: string): void
  readonly backoff?: BackoffLimits
}

const NOT_FOUND = 404
const MAX_CHUNK = 256 * 1024
/** Interval of the checks while an event waits for the line. */
const LINE_CHECK_MS = 100
const BACKOFF: BackoffLimits = { minMs: 1_000, maxMs: 60_000 }

export function createClipUploader(options: ClipUploaderOptions): ClipUploader {
  const { store, files, cloudUrl, log, rate, hasTurn, onSettled, backoff = BACKOFF } = options
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let started = false
  /** Replaced with each order, which ends an upload under an older token. */
  let current: { readonly id: string; readonly replaced: AbortController } | null = null

  /** Events go first: a chunk is sent while none waits or in the turn of clips, within the rate. */
  const turn = async (signal: AbortSignal): Promise<number> => {
    for (;;) {
      const waitMs = hasTurn() ? rate.waitMs() : LINE_CHECK_MS
      if (waitMs <= 0) return Math.min(MAX_CHUNK, rate.targetBytes)
      await delay(waitMs, undefined, { signal })
    }
  }

  const send = async ({ id, bytes }: StoredClip, { path, token, location }: ClipUpload) => {
    const replaced = new AbortController()
    current = { id, replaced }
    const file = await open(files.pathOf(id), 'r')
    try {
      return await sendByTus(
        {
          endpoint: belowCloud(path, cloudUrl).href,
          token,
          bytes,
          location,
          metadata: { clipe: id },
          onLocation: (found) => store.setLocation(id, found),
          async read(offset, size) {
            const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size, offset)
            if (bytesRead < size) throw new Error('the file of a clip is too short')
            return buffer
          },
        },
        {
          signal: AbortSignal.any([stopping.signal, replaced.signal]),
          turn,
          onChunk(sent, ms) {
            options.onChunk?.()
            rate.sent(sent)
            rate.took(ms, sent)
          },
          pauseMs: (failures) => backoffMs(failures - 1, backoff),
        },
      )
    } finally {
      current = null
      await file.close()
    }
  }

  const sendAll = async () => {
    for (let next = store.nextUpload(); next && !stopping.signal.aborted; next = store.nextUpload()) {
      const { clip, upload } = next
      const outcome = await send(clip, upload).catch((err: unknown) => {
        log.error({ err, clipe: clip.id }, 'a clip cannot be read')
        return 'unreadable' as const
      })
      // The next start resumes it, or the newer order continues.
      if (outcome === 'aborted') continue
      store.endUpload(clip.id)
      if (outcome === 'sent' || (outcome !== 'unreadable' && outcome.refused === NOT_FOUND)) {
        log.info(
          { clipe: clip.id, bytes: clip.bytes, enviado: outcome === 'sent' },
          'clip sent, or deleted in the cloud',
        )
        onSettled(clip.id)
      } else if (outcome !== 'unreadable')
        log.warn({ clipe: clip.id, status: outcome.refused }, 'the cloud refused a clip')
    }
  }

  const wake = () => {
    if (!started || running || stopping.signal.aborted) return
    running = sendAll()
      .catch(async (error: unknown) => {
        log.error({ err: error }, 'clips not sent')
        await delay(backoff.maxMs, undefined, { signal: stopping.signal }).catch(() => {})
      })
      .finally(() => {
        running = null
        if (store.nextUpload()) wake()
      })
  }

  return {
    order(id, upload) {
      if (store.find(id) === null) return false
      store.want(id, { ...upload, location: null })
      if (current?.id === id) current.replaced.abort()
      wake()
      return true
    },
    start() {
      started = true
      wake()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
