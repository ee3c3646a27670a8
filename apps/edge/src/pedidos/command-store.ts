import type { Logger } from 'pino'
import type { EdgeDb } from '../db/edge-db.ts'

/**
 * `novo`: it may run. `repetido`: it ran before, or is too old to tell. `nao_guardado`: it may be new, but only this process
 * will remember it, as the disk can not be written.
 */
type Admission = 'novo' | 'repetido' | 'nao_guardado'

/** The commands that this box was asked for, so that none runs twice, whatever a broker repeats and however often the program restarts. */
export interface CommandStore {
  /** Remembers the command before it runs. @param askedAt clock of whoever asked, epoch ms */
  admit(id: string, askedAt: number): Admission
  /** When the newest command was asked, by the same clock; 0: there was none. */
  readonly newest: number
}

/**
 * How far the commands of one cloud may arrive out of the order in which they were asked for. What was asked earlier than that
 * before the newest one is refused, and so need not be remembered. The box's own clock has no part in it.
 */
const WINDOW_MS = 10 * 60_000

export function createCommandStore(db: EdgeDb, log: Logger): CommandStore {
  const newestAt = db.prepare<[], number | null>('SELECT max(asked_at) FROM commands').pluck()
  const find = db.prepare<[string], number>('SELECT 1 FROM commands WHERE id = ?').pluck()
  const insert = db.prepare('INSERT OR IGNORE INTO commands (id, asked_at) VALUES (?, ?)')
  const forget = db.prepare('DELETE FROM commands WHERE asked_at < ?')
  /** Not on the disk yet. */
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
        // Whatever the disk does, the box stays within reach of those who have to mend it.
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
