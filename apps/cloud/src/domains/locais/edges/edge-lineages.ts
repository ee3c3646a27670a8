import { type EdgeLineage, lineageOf, ownLineage } from '@vigia/link/edge-lineage'
import { edgeName } from '@vigia/link/identity'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import { listOwners } from './certificates-store.ts'

/**
 * The Empresa and the root of each edge, for turns, rates and shares of the link. Neither ever changes, so that this
 * copy of the database cannot be outdated.
 */
export interface EdgeLineages {
  /** Reads those of all edges. */
  start(): Promise<void>
  /** An edge that is not known yet shares one root with all others of this kind until it is. */
  of(edgeId: number): EdgeLineage
}

const NEW = 'novos'

export function createEdgeLineages({ db, log }: { readonly db: Database; readonly log: Logger }): EdgeLineages {
  const known = new Map<number, EdgeLineage>()
  const reading = new Set<number>()

  async function read(edgeId: number): Promise<void> {
    reading.add(edgeId)
    try {
      const [owner] = await listOwners(db, edgeId)
      // An edge that was removed is still connected for moments.
      known.set(edgeId, owner === undefined ? ownLineage(edgeId) : lineageOf(owner))
    } catch (err) {
      log.warn({ err, edge_id: edgeId }, 'Empresa of an edge not read; reading it again at its next message')
    } finally {
      reading.delete(edgeId)
    }
  }

  return {
    async start() {
      for (const owner of await listOwners(db)) known.set(owner.edgeId, lineageOf(owner))
    },
    of(edgeId) {
      const found = known.get(edgeId)
      if (found !== undefined) return found
      if (!reading.has(edgeId)) void read(edgeId)
      return { root: NEW, empresa: NEW, edge: edgeName(edgeId) }
    },
  }
}
