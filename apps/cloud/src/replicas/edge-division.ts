import { createHash } from 'node:crypto'
import type { Notices } from '../db/notices.ts'
import type { Database } from '../db/open.ts'
import { freeEdges, type LiveReplica, listOwners, takeEdges } from '../db/replicas.ts'
import type { Logger } from '../http/request-log.ts'

/** The link reads the topics of these edges. */
export interface DivisionLink {
  own(edgeIds: Iterable<number>): void
}

interface DivisionDeps {
  readonly db: Database
  readonly name: string
  readonly notices: Pick<Notices, 'send'>
  readonly link: DivisionLink
  readonly log: Logger
  /** Monotonic clock in ms. */
  readonly monotonic: () => number
}

/** Longest time between two reads of the owners of all edges. */
const DIVIDE_MS = 10_000

export type EdgeDivision = ReturnType<typeof createEdgeDivision>

/** The edges of this replica, each with the epoch of its ownership. @param onTaken called with newly owned edges */
export function createEdgeDivision(
  { db, name, notices, link, log, monotonic }: DivisionDeps,
  onTaken: (edgeIds: readonly number[]) => void,
) {
  const owned = new Map<number, number>()
  let isDue = true
  let dividedAt = 0
  return {
    size: () => owned.size,
    owns: (edgeId: number) => owned.has(edgeId),
    epocaOf: (edgeId: number) => owned.get(edgeId),
    isDue: () => isDue || monotonic() - dividedAt >= DIVIDE_MS,
    /** The next check divides the edges again. */
    mark() {
      isDue = true
    },
    /** Gives up all edges, because the lease was lost. */
    release() {
      if (owned.size > 0) log.warn({ edges: owned.size }, 'replica: lease lost; edges released')
      owned.clear()
      link.own([])
      isDue = true
    },
    /** Takes the edges that belong to this replica among the live ones, and frees the others. */
    async divide(live: readonly LiveReplica[]): Promise<void> {
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
      onTaken(taken.map(({ id }) => id))
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
