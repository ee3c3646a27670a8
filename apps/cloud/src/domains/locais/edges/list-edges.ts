import type { Edge } from '@vigia/contracts/edges'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import type { ListSource } from '../../../http/list-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { requireEdge } from './require-edge.ts'
import { countEdges, type EdgeRow, listEdgesAfter } from './store.ts'
import { viewEdge } from './view-edge.ts'

export interface ReadDeps {
  readonly db: Database
  readonly clock: Clock
}

export async function visibleEdges(
  { db, clock }: ReadDeps,
  caller: Caller,
  empresaId: number | undefined,
): Promise<ListSource<EdgeRow, Edge>> {
  const empresas = await narrowScope(db, caller, empresaId)
  const now = clock.now()
  return {
    path: '/api/v1/edges',
    count: () => countEdges(db, empresas),
    read: (after, limit) => listEdgesAfter(db, empresas, after, limit),
    view: (row) => viewEdge(row, now),
  }
}

export async function getEdge({ db, clock }: ReadDeps, caller: Caller, id: number): Promise<Edge> {
  return viewEdge(await requireEdge(db, caller, id), clock.now())
}
