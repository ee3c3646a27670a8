import { createHash } from 'node:crypto'
import { canonicalHost } from '@vigia/rtsp/address-policy'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { EdgeDb } from '../db/edge-db.ts'

/** The learned limit of a host. */
interface LearnedHost {
  readonly connections: number
  readonly ageMs: number
}

/** The learned limits on the disk, for the next start of the program. */
export interface HostLimitStore {
  /** null: nothing was learned of the host. */
  load(host: string): LearnedHost | null
  /** Replaces everything. */
  save(all: readonly (LearnedHost & { readonly host: string })[]): void
}

export const MOST_HOSTS = 256

/** `h`: SHA-256 of the host. `em`: wall clock, epoch ms. */
const storedSchema = z.array(z.object({ h: z.string(), n: z.int().min(1), em: z.number() }))

/** The disk has no address of a device. */
const hashOf = (host: string): string => createHash('sha256').update(canonicalHost(host)).digest('hex')

/** @param now wall clock, epoch ms; one that is behind makes an entry younger, so that it is kept longer */
export function createHostLimitStore(db: EdgeDb, now: () => number, log: Logger): HostLimitStore {
  const text = db.prepare<[], string | null>('SELECT host_limits FROM outbox').pluck().get() ?? '[]'
  const kept = new Map((storedSchema.safeParse(JSON.parse(text)).data ?? []).map((one) => [one.h, one]))
  const update = db.prepare('UPDATE outbox SET host_limits = ?')

  return {
    load(host) {
      const one = kept.get(hashOf(host))
      return one === undefined ? null : { connections: one.n, ageMs: Math.max(0, now() - one.em) }
    },
    save(all) {
      const newest = all.toSorted((a, b) => a.ageMs - b.ageMs).slice(0, MOST_HOSTS)
      const rows = newest.map(({ host, connections, ageMs }) => {
        return { h: hashOf(host), n: connections, em: Math.round(now() - ageMs) }
      })
      try {
        update.run(JSON.stringify(rows))
      } catch (err) {
        log.error({ err }, 'limits of devices not written to the disk')
      }
    },
  }
}
