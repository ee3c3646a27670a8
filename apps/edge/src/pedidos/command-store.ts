import type { Logger } from 'pino'
import type { EdgeDb } from '../db/edge-db.ts'

/**
 * `novo`: may run. `repetido`: has run before, or is too old to decide. `nao_guardado`: possibly new, but only in
 * memory, because the disk cannot be written.
 */
type Admission = 'novo' | 'repetido' | 'nao_guardado'

/** The received commands, so that none runs twice after repetition by a broker or a restart of the program. */
export interface CommandStore {
  /** Stores the command before it runs. @param askedAt clock of the cloud, in epoch ms */
  admit(id: string, askedAt: number): Admission
  /** Time of the newest command by the cloud's clock, in epoch ms; 0: none. */
  readonly newest: number
}

/**
 * Largest difference in time between commands that arrive out of order. A command older than this before the newest is
 * refused, so that it need not be stored. The comparison does not use the edge's own clock.
 */
const WINDOW_MS = 10 * 60_000

export function createCommandStore(db: EdgeDb, log: Logger): CommandStore {
  const newestAt = db.prepare<[], number | null>('SELECT max(asked_at) FROM commands').pluck()
  const find = db.prepare<[string], number>('SELECT 1 FROM commands WHERE id = ?').pluck()
  const insert = db.prepare('INSERT OR IGNORE INTO commands (id, asked_at) VALUES (?, ?)')
  const forget = db.prepare('DELETE FROM commands WHERE asked_at < ?')
  /** Ids that are not on the disk yet. */
  const unsaved = new Map<string, number>()
  const save = db.transaction((oldest: number) => {
    for (const [id, askedAt] of unsaved) insert.run(id, askedAt)
    forget.run(oldest)
  })
  let newest = newestAt.get() ?? 0

  return {
    admit(id, askedAt) {
      const oldest = Math.max(newest, askedAt) - WINDOW_MS
      try {
        if (askedAt < oldest || unsaved.has(id) || find.get(id) === 1) return 'repetido'
        newest = Math.max(newest, askedAt)
        unsaved.set(id, askedAt)
        save(oldest)
        unsaved.clear()
        return 'novo'
      } catch (err) {
        // When the disk fails, the edge stays reachable for its repair.
        log.error({ err }, 'O disco não grava: pedidos da central não são guardados.')
        newest = Math.max(newest, askedAt)
        unsaved.set(id, askedAt)
        for (const [old, at] of unsaved) if (at < oldest) unsaved.delete(old)
        return 'nao_guardado'
      }
    },
    get newest() {
      return newest
    },
  }
}
