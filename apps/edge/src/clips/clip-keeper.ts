import type { ClipKeeper, ClipKeeperOptions } from './keeping.ts'
import { createKeptClips } from './kept-clips.ts'
import { createSeenSince } from './seen-since.ts'

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
