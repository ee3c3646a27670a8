import type { MotivoSemClipe } from '@vigia/contracts/extras'
import { isDiskFull } from '@vigia/runtime/disk-failure'
import type { Logger } from 'pino'
import type { ClipFailure, SeenClip } from '../capture/model.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import type { ClipFiles } from './clip-files.ts'
import type { ClipEvent, ClipStore, StoredClip } from './clip-store.ts'
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

/** Clips that nobody requests are kept this long. */
const KEEP_MS = 48 * 60 * 60_000
/** At most this many expire at once whatever their share. */
const USUAL_CLIPS = 20
/** A clip arrives at most 75 s after its event. */
const LONGEST_CUT_MS = 5 * 60_000
const CHECK_MS = 10_000
/** Clips in memory that wait for the disk. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

export function createClipKeeper(options: ClipKeeperOptions): ClipKeeper {
  const { store, files, notices, quota, log, eventOf, onChanged } = options
  const now = options.now ?? Date.now
  const monotonic = options.monotonic ?? (() => performance.now())
  let work: Promise<void> = Promise.resolve()
  let waitingBytes = 0
  const cutsUnderWay = createSeenSince(monotonic)
  /** Clips of this run, with the monotonic time: the wall clock that stamped them may have been set back. */
  const keptAt = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null

  /** Runs changes of files one after the other. A failure concerns that change only. */
  const enqueue = (what: string, change: () => Promise<void>): void => {
    work = work.then(change).catch((error: unknown) => log.error({ err: error }, what))
  }

  const settle = (events: readonly string[], reason: MotivoSemClipe) => {
    if (events.length === 0) return
    store.settle(events, (event) => notices.missing(event, reason))
    onChanged()
  }

  /** `reason`: null if the cloud needs none. */
  const drop = async (id: string, reason: MotivoSemClipe | null) => {
    store.remove(id, (events) => {
      notices.removed(id)
      if (reason !== null) for (const event of events) notices.missing(event, reason)
    })
    keptAt.delete(id)
    await files.remove(id)
    onChanged()
  }

  const isShort = (bytes: number): boolean => {
    const free = quota.freeBytes()
    return store.bytes() + bytes > quota.maxBytes || (free !== null && free - bytes < quota.reserveBytes)
  }

  /** Drops the oldest clips that are not wanted. false: there is still too little space. */
  const freeSpace = async (bytes: number): Promise<boolean> => {
    while (isShort(bytes)) {
      const oldest = store.cheapest()
      if (oldest === null) return false
      await drop(oldest.id, 'disco_cheio')
    }
    return true
  }

  const keep = async (seen: SeenClip, events: readonly { readonly event: string; readonly offsetMs: number }[]) => {
    const { cameraId, startedAt, data, sha256 } = seen
    const ids = events.map(({ event }) => event)
    if (!(await freeSpace(data.length))) return settle(ids, 'disco_cheio')
    const clip: StoredClip = { id: uuidV7(now()), cameraId, startedAt, bytes: data.length, sha256 }
    try {
      await files.write(clip.id, data)
    } catch (error) {
      log.error({ err: error, camera: cameraId }, 'a clip cannot be written to the disk')
      return settle(ids, isDiskFull(error) ? 'disco_cheio' : 'disco_indisponivel')
    }
    const stored = store.keep(clip, ids, (assigned) => {
      const kept = events.filter(({ event }) => assigned.includes(event))
      notices.kept(clip, seen, kept)
    })
    // The quota of the outbox has dropped the events.
    if (!stored) return await files.remove(clip.id)
    keptAt.set(clip.id, monotonic())
    onChanged()
  }

  /** An unfinished file is on the disk already. */
  const hasSpace = (bytes: number): boolean => {
    const free = quota.freeBytes()
    return store.bytes() + bytes <= quota.maxBytes && (free === null || free >= quota.reserveBytes)
  }

  const adopt = async (clip: StoredClip) => {
    if (!hasSpace(clip.bytes)) return 'disco_cheio'
    try {
      await files.complete(clip.id)
    } catch (error) {
      log.error({ err: error, clipe: clip.id }, 'a recording cannot be kept on the disk')
      return isDiskFull(error) ? 'disco_cheio' : 'disco_indisponivel'
    }
    store.keepAlone(clip)
    keptAt.set(clip.id, monotonic())
    return null
  }

  /** Events whose clip the last run did not finish; null: they are settled, and the files match the store. */
  let left: readonly string[] | null = null

  const takeOver = async () => {
    if (left === null) return
    settle(left, 'caixa_reiniciada')
    for (const id of await files.reconcile(store.ids())) await drop(id, 'arquivo_perdido')
    left = null
  }

  /** Begin of a mass expiry that waits (monotonic ms); null: none. */
  let waitingSince: number | null = null

  /**
   * Clips that are too old. Most of them look old at once when the clock is wrong. They go after the same time of
   * running, or when the quota needs their space.
   */
  function expired(): readonly string[] {
    const isYoung = (id: string) => monotonic() - (keptAt.get(id) ?? Number.NEGATIVE_INFINITY) < KEEP_MS
    const due = store.expired(now() - KEEP_MS).filter((id) => !isYoung(id))
    if (due.length <= USUAL_CLIPS || due.length * 2 <= store.ids().length) {
      waitingSince = null
      return due
    }
    if (waitingSince === null) log.warn({ clips: due.length }, 'most clips look too old: kept for now')
    waitingSince ??= monotonic()
    return monotonic() - waitingSince < KEEP_MS ? [] : due
  }

  const check = async () => {
    settle(cutsUnderWay.lasting(store.awaiting('all'), LONGEST_CUT_MS), 'recorte_falhou')
    for (const id of expired()) await drop(id, 'expirado')
    await freeSpace(0)
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
        return enqueue('events without a clip not settled', async () => settle(ids, 'disco_indisponivel'))
      }
      waitingBytes += bytes
      enqueue('a clip is not stored', async () => {
        try {
          await keep(seen, events)
        } finally {
          waitingBytes -= bytes
        }
      })
    },
    adopt(clip) {
      const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof adopt>>>()
      enqueue('a recording is not stored', async () => {
        try {
          resolve(await adopt(clip))
        } finally {
          resolve('disco_indisponivel')
        }
      })
      return promise
    },
    hasSpace,
    missing(refs, failure) {
      const events = refs.flatMap((ref) => eventOf(ref) ?? [])
      enqueue('events without a clip not settled', async () => settle(events, failure))
    },
    interrupted(cameraIds) {
      // Clips that arrived before the end of the process are stored first.
      enqueue('interrupted clips not settled', async () => settle(store.awaiting({ cameraIds }), 'captura_reiniciada'))
    },
    discard(id) {
      enqueue('a clip is not deleted', () => drop(id, null))
    },
    async stop() {
      if (timer) clearInterval(timer)
      await work
    },
  }
}
