import type { EdgeDb } from '../db/edge-db.ts'

/** One start of the machine, with what is known of its time. */
interface BootTimes {
  readonly id: string
  /** Earliest possible time of the start, in epoch ms. */
  readonly earliest: number
  /** Ms that it lasted at least. */
  readonly lastMono: number
  /** Whether its time came from a battery clock. */
  readonly assumed: boolean
  /** Right time minus monotonic time; null: never known. */
  readonly ahead: number | null
}

/** The starts of this machine, oldest first. */
export interface BootStore {
  list(): readonly BootTimes[]
  /** Last instant at which the time was known, in epoch ms; null: none yet. */
  lastKnown(): number | null
  /** Writes the present start, which is the last one. */
  save(boot: BootTimes, lastKnown: number): void
}

interface Stored {
  readonly lastKnown: number
  readonly boots: readonly BootTimes[]
}

/** Records of older starts keep the times that they have. */
export const MOST_BOOTS = 64

export function createBootStore(db: EdgeDb): BootStore {
  const select = db.prepare<[], string | null>('SELECT times FROM outbox').pluck()
  const update = db.prepare('UPDATE outbox SET times = ?')
  const load = (): Stored | null => JSON.parse(select.get() ?? 'null')

  return {
    list: () => load()?.boots ?? [],
    lastKnown: () => load()?.lastKnown ?? null,
    save(boot, lastKnown) {
      const others = (load()?.boots ?? []).filter(({ id }) => id !== boot.id)
      update.run(JSON.stringify({ lastKnown: Math.round(lastKnown), boots: [...others, boot].slice(-MOST_BOOTS) }))
    },
  }
}
