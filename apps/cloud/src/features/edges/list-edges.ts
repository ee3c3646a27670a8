import type { Edge } from '@vigia/contracts/edges'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Caller } from '../../http/caller.ts'
import { narrowScope } from '../../scope/narrow-scope.ts'
import { requireEdge } from './require-edge.ts'
import { listEdges } from './store.ts'
import { viewEdge } from './view-edge.ts'

export interface ReadDeps {
  readonly db: Database
  readonly clock: Clock
}

export async function listVisibleEdges(
  { db, clock }: ReadDeps,
  caller: Caller,
  empresaId: number | undefined,
): Promise<Edge[]> {
  const empresas = await narrowScope(db, caller, empresaId)
  const now = clock.now()
  return (await listEdges(db, empresas)).map((row) => viewEdge(row, now))
}

export async function getEdge({ db, clock }: ReadDeps, caller: Caller, id: number): Promise<Edge> {
  return viewEdge(await requireEdge(db, caller, id), clock.now())
}
