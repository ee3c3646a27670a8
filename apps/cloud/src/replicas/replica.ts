import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Notice, Notices } from '../db/notices.ts'
import type { Database } from '../db/open.ts'
import { type LiveReplica, leave, ownerOf, shareRequest, type TipoVista } from '../db/replicas.ts'
import type { Logger } from '../http/request-log.ts'
import { createEdgeDivision, type DivisionLink, winner } from './edge-division.ts'
import { createLease } from './lease.ts'

/** One of the processes that together are the cloud of an installation. */
export interface Replica {
  /** undefined: this process is the only one. */
  readonly name: string | undefined
  /** Whether this process does what only one may do at a time: outages, certificates in force, clean-up. */
  readonly leads: boolean
  /** Whether this process serves the edge. */
  owns(edgeId: number): boolean
  /**
   * Checks the ownership in the transaction that has locked the edge's row.
   * @throws Error if another replica owns the edge: the transaction must write nothing
   */
  requireOwner(tx: Database, edgeId: number): Promise<void>
  /** Other replicas that run now. */
  others(): readonly LiveReplica[]
  /** Called with the edges that this process serves from now on, also after a restart of its link. */
  onOwned(listener: (edgeIds: readonly number[]) => void): void
  onLead(listener: () => void): void
  /**
   * Notes what the viewers of this process want of an edge for `ms`; null: nothing.
   * @returns the requests of the other replicas, which the command to the edge must include
   */
  shareRequest(edgeId: number, tipo: TipoVista, desejo: unknown, ms: number): Promise<unknown[]>
  /** Sends to the other replicas. */
  notify(notice: Notice): void
  onNotice(listener: (notice: Notice) => void): void
  /** Called each second while messages of others may be lost. */
  onCheck(listener: () => void): void
  start(): Promise<void>
  /** Gives its edges and leases to the others. */
  stop(): Promise<void>
}

/** The only process of an installation on SQLite. */
export const onlyReplica: Replica = {
  name: undefined,
  leads: true,
  owns: () => true,
  requireOwner: async () => {},
  others: () => [],
  onOwned: () => {},
  onLead: () => {},
  shareRequest: async () => [],
  notify: () => {},
  onNotice: () => {},
  onCheck: () => {},
  start: async () => {},
  stop: async () => {},
}

/** A name that no earlier process had, so that it inherits no edge. */
export const newReplicaName = (): string =>
  `${
    hostname()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 40) || 'vigia'
  }-${randomBytes(4).toString('hex')}`

interface ReplicaDeps {
  readonly db: Database
  readonly name: string
  /** Address at which the other replicas reach this one; null: none. */
  readonly url: string | null
  readonly notices: Notices
  readonly link: DivisionLink
  readonly log: Logger
  /** Monotonic clock in ms. */
  readonly monotonic: () => number
}

const TICK_MS = 1_000

/**
 * Each replica renews a row. An edge belongs to the running replica with the highest hash of both names (rendezvous
 * hashing, Thaler and Ravishankar 1998). A change therefore moves only the edges of the replica that came or went. The
 * owner stands in the edge's row with an epoch. The transaction of a batch checks both, so that a late owner writes
 * nothing, and the edge sends its records again.
 */
export function createReplica({ db, name, url, notices, link, log, monotonic }: ReplicaDeps): Replica {
  const listeners = {
    owned: new Set<(edgeIds: readonly number[]) => void>(),
    lead: new Set<() => void>(),
    check: new Set<() => void>(),
  }
  const division = createEdgeDivision({ db, name, notices, link, log, monotonic }, (edgeIds) => {
    for (const listener of listeners.owned) listener(edgeIds)
  })
  const lease = createLease({ db, name, url, division, log, monotonic }, () => {
    for (const listener of listeners.lead) listener()
  })
  let isStopping = false
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const isSure = () => !isStopping && lease.isSure()

  async function tick(): Promise<void> {
    if (isStopping) return
    if (lease.isDue()) await lease.renew()
    if (division.isDue()) await division.divide(lease.live())
  }

  const run = () => {
    if (!isSure() && (division.size() > 0 || lease.leads())) lease.lose()
    if (!notices.connected) for (const listener of listeners.check) listener()
    running ??= tick()
      .catch((err: unknown) => log.error({ err }, 'replica: lease not renewed; retrying'))
      .finally(() => {
        running = null
      })
  }

  /** The desired state of an edge changes at its activation: from then on it has an owner. */
  function consider(notice: Notice): void {
    if (notice.tipo !== 'desejado' || division.owns(notice.edgeId)) return
    const names = lease.live().map(({ id }) => id)
    if (winner(notice.edgeId, names) !== name) return
    division.mark()
    run()
  }

  notices.onNotice((notice) => {
    consider(notice)
    if (notice.tipo !== 'replicas') return
    division.mark()
    // The list of replicas is read with the renewal.
    lease.hurry()
    run()
  })
  notices.onConnected(() => {
    for (const listener of listeners.check) listener()
  })

  return {
    name,
    get leads() {
      return lease.leads() && isSure()
    },
    owns: (edgeId) => division.owns(edgeId) && isSure(),
    async requireOwner(tx, edgeId) {
      const row = await ownerOf(tx, edgeId)
      if (row && (row.dono !== name || row.dono_epoca !== division.epocaOf(edgeId)))
        throw new Error(`edge ${edgeId} belongs to another replica`)
    },
    others: () => lease.live().filter(({ id }) => id !== name),
    onOwned: (listener) => void listeners.owned.add(listener),
    onLead: (listener) => void listeners.lead.add(listener),
    shareRequest: (edgeId, tipo, desejo, ms) => shareRequest(db, { edgeId, tipo, replica: name, desejo }, ms),
    notify(notice) {
      consider(notice)
      notices.send(notice)
    },
    onNotice: notices.onNotice,
    onCheck: (listener) => void listeners.check.add(listener),
    async start() {
      notices.start()
      await lease.renew()
      await division.divide(lease.live())
      notices.send({ tipo: 'replicas' })
      timer = setInterval(run, TICK_MS)
    },
    async stop() {
      if (isStopping) return
      isStopping = true
      clearInterval(timer)
      await running
      lease.lose()
      await leave(db, name).catch((err: unknown) => log.warn({ err }, 'replica: leases not ended'))
      notices.send({ tipo: 'replicas' })
      await notices.stop()
    },
  }
}
