import type { DiskSpace } from '../../../adapters/disk-space.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Line } from './shared-log.ts'
import { noteShown } from './store.ts'

interface ShownDeps {
  readonly db: Database
  readonly log: Logger
  readonly disk: Pick<DiskSpace, 'tolerate'>
}

/** One of them may be the session that asks. */
const MOST_SESSIONS = 2

/**
 * Records the first sessions to which a line is sent; a walk test asks for them. All streams of this process share the
 * lines, so that many screens cause two writes. A failure is logged, and the stream goes on.
 */
export function createShown({ db, log, disk }: ShownDeps) {
  const sent = new WeakMap<Line, Set<number>>()
  return async (line: Line, sessaoId: number): Promise<void> => {
    const sessions = sent.get(line) ?? new Set()
    if (sessions.size === MOST_SESSIONS || sessions.has(sessaoId)) return
    sent.set(line, sessions.add(sessaoId))
    await disk
      .tolerate(() => noteShown(db, line.seq, sessaoId))
      .catch((err) => log.error({ err }, 'session of a sent alert not recorded'))
  }
}
