import type { Database } from '../db/open.ts'
import { beat, forgetReplicas, LEADER, LEASE_MS, type LiveReplica, liveReplicas, takeLease } from '../db/replicas.ts'
import type { Logger } from '../http/request-log.ts'
import type { EdgeDivision } from './edge-division.ts'

interface LeaseDeps {
  readonly db: Database
  readonly name: string
  readonly url: string | null
  readonly division: Pick<EdgeDivision, 'mark' | 'release'>
  readonly log: Logger
  /** Monotonic clock in ms. */
  readonly monotonic: () => number
}

const BEAT_MS = 3_000
/** A process that could not renew for this time stops before its lease ends. */
const SURE_MS = LEASE_MS - 3_000

/** The row of this replica, which it renews, and whether it leads. @param onLead called when it begins to lead */
export function createLease({ db, name, url, division, log, monotonic }: LeaseDeps, onLead: () => void) {
  let live: readonly LiveReplica[] = []
  /** Monotonic time of the last renewal; null: none yet. */
  let beatAt: number | null = null
  let isLeader = false

  function lose(): void {
    division.release()
    isLeader = false
  }

  return {
    live: () => live,
    leads: () => isLeader,
    isSure: () => beatAt !== null && monotonic() - beatAt < SURE_MS,
    isDue: () => beatAt === null || monotonic() - beatAt >= BEAT_MS,
    /** The next check renews the lease. */
    hurry() {
      if (beatAt !== null) beatAt = Math.min(beatAt, monotonic() - BEAT_MS)
    },
    lose,
    async renew(): Promise<void> {
      const begun = monotonic()
      const held = await beat(db, name, url)
      // The lease began at the latest when the statement was sent.
      if (!held && beatAt !== null) lose()
      if (!held) division.mark()
      beatAt = begun
      const leads = (await takeLease(db, LEADER, name)) !== null
      if (leads && !isLeader) {
        log.info({ replica: name }, 'replica: leads')
        isLeader = true
        await forgetReplicas(db)
        onLead()
      }
      isLeader = leads
      const now = await liveReplicas(db)
      if (now.map(({ id }) => id).join() !== live.map(({ id }) => id).join()) division.mark()
      live = now
    },
  }
}
