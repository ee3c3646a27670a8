import type { Edge } from '@vigia/contracts/edges'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import { type Caller, inScope, notFound } from '../../http/caller.ts'
import { narrowScope } from '../../scope/narrow-scope.ts'
import { type EdgeRow, findEdge, listEdges } from './store.ts'
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
  const agora = clock.now()
  return (await listEdges(db, empresas)).map((row) => viewEdge(row, agora))
}

/** The edge's row. The local edge serves many Empresas and is the operator's alone. Throws `nao_encontrado`. */
export async function requireEdge(db: Database, caller: Caller, id: number): Promise<EdgeRow> {
  const row = await findEdge(db, id)
  const visible = row && (row.empresa_id === null ? caller.escopo === 'tudo' : inScope(caller, row.empresa_id))
  if (!row || !visible) throw notFound('Edge não encontrado.')
  return row
}

export async function getEdge({ db, clock }: ReadDeps, caller: Caller, id: number): Promise<Edge> {
  return viewEdge(await requireEdge(db, caller, id), clock.now())
}
