import type { MotivoSemClipe } from '@vigia/contracts/extras'
import type { Logger } from 'pino'
import type { ClipFailure, SeenClip } from '../capture/model.ts'
import type { ClipFiles } from './clip-files.ts'
import type { ClipEvent, ClipStore, StoredClip } from './clip-store.ts'
import { createKeptClips } from './kept-clips.ts'
import { createSeenSince } from './seen-since.ts'

/** Stores what the cloud must learn about a clip. Runs inside the transaction of the change. */
export interface ClipNotices {
  kept(clip: StoredClip, seen: SeenClip, events: readonly { readonly event: string; readonly offsetMs: number }[]): void
  missing(event: ClipEvent, reason: MotivoSemClipe): void
  /** The clip is removed. */
  removed(clip: string): void
}

interface ClipQuota {
  /** Largest size of all clips. */
  readonly maxBytes: number
  /** Free space to leave on the disk. Larger than the outbox's, so that clips give way before any event does. */
  readonly reserveBytes: number
  /** null: unknown. */
  freeBytes(): number | null
}

/** Stores clips on the disk. Each expected event gets a clip or a reason, also across restarts. */
export interface ClipKeeper {
  /** Settles the events whose clip the last run of this program did not finish. */
  start(): Promise<void>
  clip(seen: SeenClip): void
  missing(refs: readonly string[], failure: ClipFailure): void
  /**
   * Takes over a complete unfinished file that belongs to no event. No clip of an event gives way to it. Resolves with
   * null, or with the reason for which it is not kept.
   */
  adopt(clip: StoredClip): Promise<'disco_cheio' | 'disco_indisponivel' | null>
  /** Whether an unfinished file of `bytes` can be adopted. */
  hasSpace(bytes: number): boolean
  /** The capture process of these cameras has ended. */
  interrupted(cameraIds: readonly number[]): void
  /** Deletes a clip that the cloud has or does not want, without a reason for its events. */
  discard(id: string): void
  /** Settles when the clips received so far are stored. */
  stop(): Promise<void>
}

export interface ClipKeeperOptions {
  readonly store: ClipStore
  readonly files: ClipFiles
  readonly notices: ClipNotices
  readonly quota: ClipQuota
  readonly log: Logger
  /** Id of the event of a reference of a capture process. */
  eventOf(ref: string): string | undefined
  onChanged(): void
  /** Edge clock, in epoch ms. */
  now?(): number
  /** Monotonic ms; default `performance.now`. */
  monotonic?(): number
  readonly checkEveryMs?: number
}

/** A clip arrives at most 75 s after its event. */
const LONGEST_CUT_MS = 5 * 60_000
const CHECK_MS = 10_000
/** Clips in memory that wait for the disk. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

export function createClipKeeper(options: ClipKeeperOptions): ClipKeeper {
  const { store, files, log, eventOf } = options
  const now = options.now ?? Date.now
  const monotonic = options.monotonic ?? (() => performance.now())
  const kept = createKeptClips({ ...options, now, monotonic })
  let work: Promise<void> = Promise.resolve()
  let waitingBytes = 0
  const cutsUnderWay = createSeenSince(monotonic)
  let timer: NodeJS.Timeout | null = null

  /** Runs changes of files one after the other. A failure concerns that change only. */
  const enqueue = (what: string, change: () => Promise<void>): void => {
    work = work.then(change).catch((error: unknown) => log.error({ err: error }, what))
  }

  /** Events whose clip the last run did not finish; null: they are settled, and the files match the store. */
  let left: readonly string[] | null = null

  const takeOver = async () => {
    if (left === null) return
    kept.settle(left, 'caixa_reiniciada')
    for (const id of await files.reconcile(store.ids())) await kept.drop(id, 'arquivo_perdido')
    left = null
  }

  const check = async () => {
    kept.settle(cutsUnderWay.lasting(store.awaiting('all'), LONGEST_CUT_MS), 'recorte_falhou')
    for (const id of kept.expired()) await kept.drop(id, 'expirado')
    await kept.freeSpace(0)
  }
  // A disk that cannot be written must not stop the program: the next check repeats what failed.
  const checkSoon = () => {
    enqueue('clips of the last run not checked', takeOver)
    enqueue('clips not checked', check)
  }

  return {
    async start() {
      left = store.awaiting('all')
      checkSoon()
      await work
      timer = setInterval(checkSoon, options.checkEveryMs ?? CHECK_MS)
      timer.unref()
    },
    clip(seen) {
      const events = seen.events.flatMap(({ ref, offsetMs }) => {
        const event = eventOf(ref)
        return event === undefined ? [] : [{ event, offsetMs }]
      })
      if (events.length === 0) return
      const bytes = seen.data.length
      if (waitingBytes + bytes > MAX_WAITING_BYTES) {
        const ids = events.map(({ event }) => event)
        return enqueue('events without a clip not settled', async () => kept.settle(ids, 'disco_indisponivel'))
      }
      waitingBytes += bytes
      enqueue('a clip is not stored', async () => {
        try {
          await kept.keep(seen, events)
        } finally {
          waitingBytes -= bytes
        }
      })
    },
    adopt(clip) {
      const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<ClipKeeper['adopt']>>>()
      enqueue('a recording is not stored', async () => {
        try {
          resolve(await kept.adopt(clip))
        } finally {
          resolve('disco_indisponivel')
        }
      })
      return promise
    },
    hasSpace: kept.hasSpace,
    missing(refs, failure) {
      const events = refs.flatMap((ref) => eventOf(ref) ?? [])
      enqueue('events without a clip not settled', async () => kept.settle(events, failure))
    },
    interrupted(cameraIds) {
      // Clips that arrived before the end of the process are stored first.
      enqueue('interrupted clips not settled', async () =>
        kept.settle(store.awaiting({ cameraIds }), 'captura_reiniciada'),
      )
    },
    discard(id) {
      enqueue('a clip is not deleted', () => kept.drop(id, null))
    },
    async stop() {
      if (timer) clearInterval(timer)
      await work
    },
  }
}
