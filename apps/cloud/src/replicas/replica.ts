import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Notice, Notices } from '../db/notices.ts'
import type { Database } from '../db/open.ts'
import {
  beat,
  forgetReplicas,
  freeEdges,
  LEADER,
  LEASE_MS,
  type LiveReplica,
  leave,
  listOwners,
  liveReplicas,
  ownerOf,
  shareRequest,
  type TipoVista,
  takeEdges,
  takeLease,
} from '../db/replicas.ts'
import type { Logger } from '../http/request-log.ts'

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
  /** The link reads the topics of these edges. */
  readonly link: { own(edgeIds: Iterable<number>): void }
  readonly log: Logger
  /** Monotonic clock in ms. */
  readonly monotonic: () => number
}

const BEAT_MS = 3_000
const TICK_MS = 1_000
/** A process that could not renew for this time stops before its lease ends. */
const SURE_MS = LEASE_MS - 3_000
/** Longest time between two reads of the owners of all edges. */
const DIVIDE_MS = 10_000

/**
 * Each replica renews a row. An edge belongs to the running replica with the highest hash of both names (rendezvous
 * hashing, Thaler and Ravishankar 1998). A change therefore moves only the edges of the replica that came or went. The
 * owner stands in the edge's row with an epoch. The transaction of a batch checks both, so that a late owner writes
 * nothing, and the edge sends its records again.
 */
export function createReplica({ db, name, url, notices, link, log, monotonic }: ReplicaDeps): Replica {
  const owned = new Map<number, number>()
  const listeners = {
    owned: new Set<(edgeIds: readonly number[]) => void>(),
    lead: new Set<() => void>(),
    check: new Set<() => void>(),
  }
  let live: readonly LiveReplica[] = []
  /** Monotonic time of the last renewal; null: none yet. */
  let beatAt: number | null = null
  let isLeader = false
  let isStopping = false
  let isDue = true
  let dividedAt = 0
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const isSure = () => !isStopping && beatAt !== null && monotonic() - beatAt < SURE_MS

  function lose(): void {
    if (owned.size > 0) log.warn({ edges: owned.size }, 'replica: lease lost; edges released')
    owned.clear()
    link.own([])
    isLeader = false
    isDue = true
  }

  async function renew(): Promise<void> {
    const begun = monotonic()
    const held = await beat(db, name, url)
    // The lease began at the latest when the statement was sent.
    if (!held && beatAt !== null) lose()
    if (!held) isDue = true
    beatAt = begun
    const leads = (await takeLease(db, LEADER, name)) !== null
    if (leads && !isLeader) {
      log.info({ replica: name }, 'replica: leads')
      isLeader = true
      await forgetReplicas(db)
      for (const listener of listeners.lead) listener()
    }
    isLeader = leads
    const now = await liveReplicas(db)
    if (now.map(({ id }) => id).join() !== live.map(({ id }) => id).join()) isDue = true
    live = now
  }

  async function divide(): Promise<void> {
    isDue = false
    dividedAt = monotonic()
    const edges = await listOwners(db)
    const running = new Set(live.map(({ id }) => id))
    const wanted = new Set(edges.flatMap(({ id }) => (winner(id, running) === name ? [id] : [])))
    const kept = new Set(edges.flatMap(({ id, dono }) => (dono === name && wanted.has(id) ? [id] : [])))
    for (const id of [...owned.keys()]) if (!kept.has(id)) owned.delete(id)
    link.own(owned.keys())
    // Also edges that this process has released: while their rows name it and its lease runs, nobody takes them.
    const left = edges.flatMap(({ id, dono }) => (dono === name && !wanted.has(id) ? [id] : []))
    if (left.length > 0) {
      await freeEdges(db, name, left)
      notices.send({ tipo: 'replicas' })
    }
    const free = edges.flatMap(({ id, dono }) =>
      wanted.has(id) && !owned.has(id) && (dono === null || dono === name || !running.has(dono)) ? [id] : [],
    )
    // Their present owner frees them when it sees this replica.
    if (wanted.size > owned.size + free.length) isDue = true
    if (free.length === 0) return
    const taken = await takeEdges(db, name, free)
    for (const { id, dono_epoca } of taken) owned.set(id, dono_epoca)
    link.own(owned.keys())
    log.info({ replica: name, edges: owned.size, novos: taken.length }, 'replica: edges taken')
    for (const listener of listeners.owned) listener(taken.map(({ id }) => id))
  }

  async function tick(): Promise<void> {
    if (isStopping) return
    if (beatAt === null || monotonic() - beatAt >= BEAT_MS) await renew()
    if (isDue || monotonic() - dividedAt >= DIVIDE_MS) await divide()
  }

  const run = () => {
    if (!isSure() && (owned.size > 0 || isLeader)) lose()
    if (!notices.connected) for (const listener of listeners.check) listener()
    running ??= tick()
      .catch((err: unknown) => log.error({ err }, 'replica: lease not renewed; retrying'))
      .finally(() => {
        running = null
      })
  }

  /** The desired state of an edge changes at its activation: from then on it has an owner. */
  function consider(notice: Notice): void {
    if (notice.tipo !== 'desejado' || owned.has(notice.edgeId)) return
    if (
      winner(
        notice.edgeId,
        live.map(({ id }) => id),
      ) !== name
    )
      return
    isDue = true
    run()
  }

  notices.onNotice((notice) => {
    consider(notice)
    if (notice.tipo !== 'replicas') return
    isDue = true
    // The list of replicas is read with the renewal.
    if (beatAt !== null) beatAt = Math.min(beatAt, monotonic() - BEAT_MS)
    run()
  })
  notices.onConnected(() => {
    for (const listener of listeners.check) listener()
  })

  return {
    name,
    get leads() {
      return isLeader && isSure()
    },
    owns: (edgeId) => owned.has(edgeId) && isSure(),
    async requireOwner(tx, edgeId) {
      const row = await ownerOf(tx, edgeId)
      if (row && (row.dono !== name || row.dono_epoca !== owned.get(edgeId)))
        throw new Error(`edge ${edgeId} belongs to another replica`)
    },
    others: () => live.filter(({ id }) => id !== name),
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
      await renew()
      await divide()
      notices.send({ tipo: 'replicas' })
      timer = setInterval(run, TICK_MS)
    },
    async stop() {
      if (isStopping) return
      isStopping = true
      clearInterval(timer)
      await running
      lose()
      await leave(db, name).catch((err: unknown) => log.warn({ err }, 'replica: leases not ended'))
      notices.send({ tipo: 'replicas' })
      await notices.stop()
    },
  }
}

/** The replica with the highest hash for the edge; undefined: none runs. */
export function winner(edgeId: number, replicas: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly weight: string } | undefined
  for (const name of replicas) {
    const weight = createHash('sha256').update(`${edgeId} ${name}`).digest('hex')
    if (!best || weight > best.weight) best = { name, weight }
  }
  return best?.name
}
